/** Two options of a command, and what surrounds them. */
export interface Pair {
  command: string;
  options: readonly [string, string];
  variant: string;
  trait: string;
}
