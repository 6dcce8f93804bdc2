/* Compresses and decompresses one text at several qualities. */
#include <brotli/decode.h>
#include <brotli/encode.h>
#include <string.h>

static unsigned char text[60000], packed[80000], unpacked[60000];

int main(void) {
  for (unsigned i = 0; i < sizeof text; i++)
    text[i] = "the quick brown fox "[(i * i / 7 + i) % 20];
  for (int quality = 0; quality <= 11; quality++) {
    size_t size = sizeof packed, length = sizeof unpacked;
    if (!BrotliEncoderCompress(quality, 18, BROTLI_MODE_TEXT, sizeof text, text, &size, packed))
      return 1;
    if (BrotliDecoderDecompress(size, packed, &length, unpacked) != BROTLI_DECODER_RESULT_SUCCESS)
      return 2;
    if (length != sizeof text || memcmp(text, unpacked, length))
      return 3;
  }
  return 0;
}
