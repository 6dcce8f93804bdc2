/** Options of {@link grows}. */
export interface Options {
  /** Sizes to run. By default they double from 16 on, as far as the budget permits. */
  sizes?: number[];
  /** Milliseconds for all runs; 10,000 by default. */
  budget?: number;
  /** True if the test passes when the sizes do not decide. */
  allowUndecided?: boolean;
}

/** Throws unless the work of `body` grows within `limit`, such as `<= n log n`. */
export function grows(limit: string, body: (n: number) => unknown, options?: Options): Promise<string>;
