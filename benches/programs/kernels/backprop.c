// arguments: inputs=4..64 hidden=2..24 outputs=1..8 epochs=1..10
// Trains a network with one hidden layer by back-propagation and prints the error of the last epoch.
#include "trips.h"

#define PATTERNS 4

struct layer {
    int units;
    double *value, *delta;
};

struct network {
    struct layer in, mid, out;
    double **to_mid, **to_out;
};

// in terms of the arguments: differs
__attribute__((noinline)) static struct layer new_layer(int units) { CALL;
    struct layer layer = {units, calloc(units + 1, sizeof(double)), calloc(units + 1, sizeof(double))};
    layer.value[0] = 1.0;
    return layer;
}

// in terms of the arguments: differs
__attribute__((noinline)) static double **new_weights(int from, int to, unsigned *seed) { CALL;
    double **w = calloc(from + 1, sizeof(double *));
    for (int k = 0; k <= from; k++) { TRIP;
        w[k] = calloc(to + 1, sizeof(double));
        for (int j = 1; j <= to; j++) { TRIP;
            w[k][j] = next_number(seed) % 1000 / 1000.0 - 0.5;
        }
    }
    return w;
}

// in terms of the arguments: differs
__attribute__((noinline)) static void forward(const struct layer *from, struct layer *to, double **w) { CALL;
    for (int j = 1; j <= to->units; j++) { TRIP;
        double sum = 0.0;
        for (int k = 0; k <= from->units; k++) { TRIP;
            sum += w[k][j] * from->value[k];
        }
        to->value[j] = 1.0 / (1.0 + exp(-sum));
    }
}

// in terms of the arguments: net->out.units = outputs
__attribute__((noinline)) static double output_error(struct network *net, const double *target) { CALL;
    double error = 0.0;
    for (int j = 1; j <= net->out.units; j++) { TRIP;
        double o = net->out.value[j];
        net->out.delta[j] = o * (1.0 - o) * (target[j] - o);
        error += fabs(target[j] - o);
    }
    return error;
}

// in terms of the arguments: net->mid.units = hidden, net->out.units = outputs
__attribute__((noinline)) static void hidden_error(struct network *net) { CALL;
    for (int j = 1; j <= net->mid.units; j++) { TRIP;
        double h = net->mid.value[j], sum = 0.0;
        for (int k = 1; k <= net->out.units; k++) { TRIP;
            sum += net->out.delta[k] * net->to_out[j][k];
        }
        net->mid.delta[j] = h * (1.0 - h) * sum;
    }
}

// in terms of the arguments: differs
__attribute__((noinline)) static void adjust(const struct layer *from, const struct layer *to, double **w) { CALL;
    int units = to->units;
    for (int k = 0; k < from->units + 1; k++) { TRIP;
        for (int j = 1; j <= units; j++) { TRIP;
            w[k][j] += 0.3 * to->delta[j] * from->value[k];
        }
    }
}

// in terms of the arguments: net.in.units = inputs, net.out.units = outputs, net->in.units = inputs
int main(int argc, char **argv) {
    int inputs = atoi(argv[1]), hidden = atoi(argv[2]), outputs = atoi(argv[3]), epochs = atoi(argv[4]);
    unsigned seed = 7;
    struct network net = {new_layer(inputs), new_layer(hidden), new_layer(outputs), NULL, NULL};
    net.to_mid = new_weights(inputs, hidden, &seed);
    net.to_out = new_weights(hidden, outputs, &seed);
    double *target = calloc(outputs + 1, sizeof(double)), error = 0.0;
    for (int epoch = 0; epoch < epochs; epoch++) { TRIP;
        error = 0.0;
        for (int p = 0; p < PATTERNS; p++) { TRIP;
            for (int i = 1; i <= net.in.units; i++) { TRIP;
                net.in.value[i] = (i * (p + 3)) % 7 / 7.0;
            }
            for (int j = 1; j <= net.out.units; j++) { TRIP;
                target[j] = (j + p) % 2 ? 0.9 : 0.1;
            }
            forward(&net.in, &net.mid, net.to_mid);
            forward(&net.mid, &net.out, net.to_out);
            error += output_error(&net, target);
            hidden_error(&net);
            adjust(&net.mid, &net.out, net.to_out);
            adjust(&net.in, &net.mid, net.to_mid);
        }
    }
    printf("%g\n", error);
    return 0;
}
