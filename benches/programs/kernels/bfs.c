// arguments: n=20..2000 degree=1..8
// Searches a random graph breadth first from its first vertex and prints the sum of all distances.
#include "trips.h"

struct node {
    int starting;
    int edges;
};

struct graph {
    int no_of_nodes, edge_list_size;
    struct node *nodes;
    int *edges;
};

// in terms of the arguments: g->no_of_nodes = n
__attribute__((noinline)) static void build(struct graph *g, int degree) { CALL;
    unsigned seed = 11;
    g->nodes = calloc(g->no_of_nodes + 1, sizeof(struct node));
    for (int v = 0; v < g->no_of_nodes; v++) { TRIP;
        g->nodes[v].starting = g->edge_list_size;
        g->nodes[v].edges = degree > 0 ? 1 + (int)(next_number(&seed) % degree) : 0;
        g->edge_list_size += g->nodes[v].edges;
    }
}

// in terms of the arguments: differs
__attribute__((noinline)) static void connect(struct graph *g) { CALL;
    unsigned seed = 12;
    g->edges = calloc(g->edge_list_size + 1, sizeof(int));
    for (int e = 0; e < g->edge_list_size; e++) { TRIP;
        g->edges[e] = next_number(&seed) % g->no_of_nodes;
    }
}

__attribute__((noinline)) static int search(int n, const struct node *nodes, const int *edges, int *cost) { CALL;
    char *mask = calloc(n + 1, 1), *updating = calloc(n + 1, 1), *visited = calloc(n + 1, 1);
    int rounds = 0, again;
    mask[0] = visited[0] = 1;
    do { TRIP;
        again = 0;
        for (int v = 0; v < n; v++) { TRIP;
            if (!mask[v]) continue;
            mask[v] = 0;
            for (int i = nodes[v].starting; i < nodes[v].starting + nodes[v].edges; i++) { TRIP;
                int id = edges[i];
                if (!visited[id]) {
                    cost[id] = cost[v] + 1;
                    updating[id] = 1;
                }
            }
        }
        for (int v = 0; v < n; v++) { TRIP;
            if (updating[v]) {
                mask[v] = visited[v] = again = 1;
                updating[v] = 0;
            }
        }
        rounds++;
    } while (again);
    free(mask);
    free(updating);
    free(visited);
    return rounds;
}

// in terms of the arguments: g->no_of_nodes = n
__attribute__((noinline)) static int busiest(const struct graph *g) { CALL;
    int most = 0;
    for (const struct node *v = g->nodes; v < g->nodes + g->no_of_nodes; v++) { TRIP;
        if (v->edges > most) most = v->edges;
    }
    return most;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), degree = atoi(argv[2]);
    struct graph g = {n, 0, NULL, NULL};
    build(&g, degree);
    connect(&g);
    int *cost = calloc(n + 1, sizeof(int));
    for (int v = 1; v < n; v++) { TRIP;
        cost[v] = -1;
    }
    int rounds = search(n, g.nodes, g.edges, cost);
    double sum = 0.0;
    for (int v = 0; v < n; v++) { TRIP;
        sum += cost[v];
    }
    printf("%g %d %d\n", sum, rounds, busiest(&g));
    return 0;
}
