// How often the rule for codes of missing values asks about traits that have none, and what it finds of those that do.
import { suspectNumbers } from '../src/tables/phenotype/missing-codes.ts';

const SIZES = [20, 60, 300, 1500];
const SAMPLES = 100;
const PLANTED = 8;

/** Mulberry32: seeded, so that the figures can be had again. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
const u = generator(12_345);
const z = (): number => Math.sqrt(-2 * Math.log(1 - u())) * Math.cos(2 * Math.PI * u());
const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));
const within = (least: number, most: number, value: number): number => Math.max(least, Math.min(most, value));
function poisson(mean: number): number {
  let count = 0;
  for (let p = u(); p > Math.exp(-mean); p *= u()) count++;
  return count;
}

const TRAITS: Record<string, () => number> = {
  'yield, dt/ha': () => rounded(65 + 9 * z(), 1),
  'yield near 1,000': () => Math.round(1000 + 120 * z()),
  'height, cm': () => Math.round(160 + 20 * z()),
  'flowering, days': () => Math.round(66 + 4 * z()),
  'thousand kernels, g': () => rounded(45 + 5 * z(), 1),
  'protein, %': () => rounded(12 + z(), 1),
  'plants per plot': () => Math.round(Math.max(0, 90 + 12 * z())),
  'temperature, °C': () => rounded(8 + 4 * z(), 1),
  'scores 1–9': () => within(1, 9, Math.round(4 + 2 * z())),
  'scores with a rare 9': () => (u() < 0.03 ? 9 : 1 + poisson(0.6)),
  'scores 1–5': () => 1 + Math.floor(5 * u()),
  'absent, present': () => Math.round(u()),
  'case, control': () => 1 + Math.round(u()),
  'scale −1 … 1': () => Math.floor(3 * u()) - 1,
  'scale −2 … 2': () => Math.floor(5 * u()) - 2,
  'doses 0, 0.5, 1': () => Math.floor(3 * u()) / 2,
  counts: () => poisson(3),
  'counts, many 0': () => (u() < 0.7 ? 0 : poisson(4)),
  'counts, heavy tail': () => (u() < 0.7 ? 0 : Math.round(Math.exp(1 + 1.2 * z()))),
  percentages: () => within(0, 100, Math.round(40 + 30 * z())),
  'percentages, many 0': () => (u() < 0.8 ? 0 : 5 * Math.round(20 * u() * u())),
  'percentages by fives': () => 5 * Math.round(Math.min(100, Math.exp(4 * u()) ** 1.1) / 5),
  'resistant or 60–100 %': () => (u() < 0.4 ? 0 : Math.round(60 + 40 * u())),
  'log-normal': () => rounded(Math.exp(2 + z()), 2),
  differences: () => rounded(2 * z(), 1),
  'differences, mostly > 0': () => rounded(3 + 1.3 * z(), 1),
  'standard scores': () => rounded(z(), 3),
  'breeding values': () => 3 * z(),
};

const write = (text: string) => process.stdout.write(`${text}\n`);
const alarms = SIZES.map(() => 0);
for (const [name, draw] of Object.entries(TRAITS)) {
  const asked: string[] = [];
  for (const [k, size] of SIZES.entries()) {
    for (let sample = 0; sample < SAMPLES; sample++) {
      const found = suspectNumbers(Float64Array.from({ length: size }, draw));
      if (found.length > 0) alarms[k]!++;
      asked.push(...found.map(({ code }) => `${code} (n = ${size})`));
    }
  }
  if (asked.length > 0) write(`asked without need in ${name}: ${asked.join(', ')}`);
}
const kinds = Object.keys(TRAITS).length;
write(`asked without need in ${alarms.reduce((a, b) => a + b)} of ${kinds * SIZES.length * SAMPLES} samples;`);
write(SIZES.map((size, k) => `n = ${size}: ${alarms[k]} of ${kinds * SAMPLES}`).join(', '));

for (const code of [-9, -99, -999, 999, 9999, -1, 0]) {
  const shares = Object.entries(TRAITS).map(([name, draw]) => {
    let found = 0;
    for (let sample = 0; sample < SAMPLES; sample++) {
      const values = Float64Array.from({ length: 200 }, draw);
      for (let i = 0; i < PLANTED; i++) values[7 * i] = code;
      if (suspectNumbers(values).some((one) => one.code === code)) found++;
    }
    return { name, found };
  });
  const partly = shares.filter(({ found }) => found < SAMPLES).map(({ name, found }) => `${name} ${found} %`);
  write(
    `${PLANTED} × ${code} among 200: always found in ${kinds - partly.length} of ${kinds} kinds; ${partly.join(', ')}`,
  );
}
