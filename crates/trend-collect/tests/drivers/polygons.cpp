// Cuts stars out of each other.
#include "clipper.hpp"
#include <cstdio>

using namespace ClipperLib;

static Path star(int points, int x, int y, int size) {
  Path path;
  long a = 12345 + points;
  for (int i = 0; i < points; i++) {
    a = (a * 1103515245 + 12345) & 0x7fffffff;
    path << IntPoint(x + a % size, y + (a / 1000) % size);
  }
  return path;
}

int main() {
  ClipType types[] = {ctIntersection, ctUnion, ctDifference, ctXor};
  size_t sum = 0;
  for (ClipType type : types)
    for (int points = 5; points < 30; points += 6) {
      Clipper clipper;
      clipper.AddPath(star(points, 0, 0, 1000), ptSubject, true);
      clipper.AddPath(star(points + 3, 300, 200, 900), ptClip, true);
      PolyTree tree;
      clipper.Execute(type, tree, pftEvenOdd, pftNonZero);
      sum += tree.Total();
    }
  Paths grown;
  ClipperOffset offset;
  offset.AddPath(star(12, 0, 0, 5000), jtRound, etClosedPolygon);
  offset.Execute(grown, 20);
  try {
    Clipper open;
    open.AddPath(star(5, 0, 0, 10), ptClip, false);
  } catch (const clipperException &e) {
    std::puts(e.what());
  }
  std::printf("%zu %zu\n", sum, grown.size());
}
