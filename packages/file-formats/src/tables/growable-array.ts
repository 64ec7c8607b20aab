/** Numbers appended one by one into a typed array that doubles: 8 (or 4) bytes each, where a plain array of boxed values takes more. */
export interface Growable<Values> {
  readonly length: number;
  push(value: number): void;
  /** The values so far, without copying. */
  values(): Values;
}

const FIRST_CAPACITY = 256;

export function growableFloats(): Growable<Float64Array> {
  return growable((capacity) => new Float64Array(capacity));
}

export function growableIntegers(): Growable<Int32Array> {
  return growable((capacity) => new Int32Array(capacity));
}

function growable<Values extends Float64Array | Int32Array>(allocate: (capacity: number) => Values): Growable<Values> {
  let array = allocate(FIRST_CAPACITY);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value) {
      if (length === array.length) {
        const larger = allocate(2 * length);
        larger.set(array);
        array = larger;
      }
      array[length++] = value;
    },
    values: () => array.subarray(0, length) as Values,
  };
}
