import { expect, it } from 'vitest';
import { NameInHand } from './name-in-hand.ts';

/** A text field as a browser has it: a new value puts the caret at its end, and typing replaces what is selected. */
class Field {
  #value = '';
  #start = 0;
  get value(): string {
    return this.#value;
  }
  set value(text: string) {
    this.#value = text;
    this.#start = text.length;
  }
  select(): void {
    this.#start = 0;
  }
  /** One who pressed End. */
  unselect(): void {
    this.#start = this.#value.length;
  }
  type(text: string): void {
    this.value = this.#value.slice(0, this.#start) + text;
  }
}

/** The dialog: a proposal that is taken appears in the field, in one step. */
function propose(name: NameInHand, field: Field, proposal: string): void {
  if (!name.takes(field.value, proposal)) return;
  field.value = proposal;
  name.showIn(field);
}

it('gives way to what is typed, though it arrives after the field was selected', () => {
  const [name, field] = [new NameInHand(), new Field()];
  field.select();
  propose(name, field, 'Height · panel');
  field.type('Next season');
  expect(field.value).toBe('Next season');
  propose(name, field, 'Yield · panel');
  expect(field.value).toBe('Next season');
});

it('changes no field in which somebody works, and is made up for when it is left as it was', () => {
  const [name, field] = [new NameInHand(), new Field()];
  propose(name, field, 'Height · panel');
  name.press('End');
  field.unselect();
  propose(name, field, 'Height · panel (2)');
  expect(field.value).toBe('Height · panel');
  name.leave();
  propose(name, field, 'Height · panel (2)');
  expect(field.value).toBe('Height · panel (2)');

  name.touch();
  field.unselect();
  field.type(', dry');
  name.leave();
  propose(name, field, 'Yield · panel');
  expect(field.value).toBe('Height · panel (2), dry');
});

it('goes on following the choices after somebody passed through the field', () => {
  const [name, field] = [new NameInHand(), new Field()];
  name.press('Shift');
  name.press('Tab');
  propose(name, field, 'Height · panel');
  expect(field.value).toBe('Height · panel');
});
