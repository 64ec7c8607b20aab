/** One part of a file that is sent in parts; bytes from `from` up to, not including, `to`. */
export interface PlannedPart {
  /** From 1. */
  number: number;
  from: number;
  to: number;
}

/** Cuts a file into parts of `partBytes`; the last one may be shorter. */
export function planParts(sizeBytes: number, partBytes: number): PlannedPart[] {
  return Array.from({ length: Math.ceil(sizeBytes / partBytes) }, (_, index) => ({
    number: index + 1,
    from: index * partBytes,
    to: Math.min(sizeBytes, (index + 1) * partBytes),
  }));
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** How long to wait before the next try after so many failures in a row; `random` (0–1) keeps many senders apart. */
export function waitBeforeTry(failures: number, random: number): number {
  const longest = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
  return longest * (0.5 + random / 2);
}

const WINDOW_MS = 10_000;
const SHORTEST_MS = 1_500;

/**
 * How fast bytes went in the last ten seconds: steady enough to read, quick enough to show that the line has changed.
 */
export class SpeedMeter {
  #samples: { at: number; sent: number }[] = [];

  /** Tells how much was sent in all by now. */
  take(sent: number, at: number): void {
    const last = this.#samples.at(-1);
    // A part that is sent again takes back what was counted of it.
    if (last !== undefined && sent < last.sent) this.#samples = [];
    this.#samples.push({ at, sent });
    while ((this.#samples[1]?.at ?? at) < at - WINDOW_MS) this.#samples.shift();
  }

  /** After a pause the old pace says nothing. */
  reset(): void {
    this.#samples = [];
  }

  /** Undefined until there is something to go by. */
  get bytesPerSecond(): number | undefined {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < SHORTEST_MS) return undefined;
    return ((last.sent - first.sent) / (last.at - first.at)) * 1000;
  }
}
