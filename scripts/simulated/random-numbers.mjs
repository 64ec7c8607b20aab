// Random numbers that are the same for the same seed, for scripts that make figures and data.

/** Uniform numbers, Park & Miller 1988. */
export function generator(seed) {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Box & Muller 1958. */
export function normal(random) {
  return Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
}
