import { groupedNumber } from '../../text/grouped-number.ts';
/** Counts occurrences and keeps the line of the first one. */
export class Tally {
  count = 0;
  line = 0;

  add(line: number, times = 1): void {
    if (this.count === 0) this.line = line;
    this.count += times;
  }
}

/** `1 call`, `2,277 calls`. */
export function counted(count: number, noun: string): string {
  return `${groupedNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}
