/** Keys that leave a field or submit it, and change nothing in it. */
const PASSING_KEYS = new Set(['Tab', 'Shift', 'Control', 'Alt', 'Meta', 'Enter', 'Escape']);

interface TextField {
  value: string;
  select(): void;
}

/**
 * When a proposed name may take the place of what its field holds. A field is in hand from the first key or click in it
 * until it is left: then nobody but its owner changes it, and what was typed ends the proposals. A field that merely
 * has the focus, because the dialog put it there, gets its proposal selected, so that typing replaces it.
 */
export class NameInHand {
  #proposed = '';
  #isInHand = false;

  /** Whether `proposal` replaces `name`, which is what the field holds. */
  takes(name: string, proposal: string): boolean {
    if (this.#isInHand || name !== this.#proposed || proposal === name) return false;
    this.#proposed = proposal;
    return true;
  }

  press(key: string): void {
    if (!PASSING_KEYS.has(key)) this.#isInHand = true;
  }

  touch(): void {
    this.#isInHand = true;
  }

  leave(): void {
    this.#isInHand = false;
  }

  /** To be called in the same step that changes the field: a key pressed in between would go into the proposal. */
  showIn(field: TextField): void {
    if (!this.#isInHand && field.value !== '' && field.value === this.#proposed) field.select();
  }
}
