import { randomUUID } from 'node:crypto';
import type { TrialConflict, TrialObservation } from '@heterosis/contracts/data/trial-observations';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { startProject } from '../../../testing/start-project.ts';

const { product, owner, member, project } = await startProject({ withWorker: false });

beforeAll(async () => {
  await sql`
    insert into germplasm (id, organization_id, crop_id, name, folded_name)
    select gen_random_uuid(), organization_id, crop_id, line, lower(line)
    from projects, unnest(array['B73', 'Mo17']) as line where projects.id = ${project.projectId}
  `.execute(product.services.db);
  const scales = {
    Yield: { kind: 'numeric', min: 0, max: 20 },
    Lodging: { kind: 'categories', categories: ['none', 'some', 'all'].map((value) => ({ value, label: null })) },
    Note: { kind: 'text' },
  };
  const traits = Object.entries(scales).map(([name, scale]) => ({
    ...{ name, scale, direction: 'higher', unit: null, weight: 1 },
  }));
  expect((await owner.call('PUT', `${project.address}/traits`, { traits })).status).toBe(200);
});

let made = 0;
/** Four plots with lines, and a border. */
async function sown(): Promise<string> {
  const layout = {
    ...{ number: [1, 2, 3, 4, 5], row: [1, 1, 2, 2, 3], column: [1, 2, 1, 2, 1] },
    ...{ replicate: [1, 1, 2, 2, null], block: [1, 1, 2, 2, null], entry: [0, 1, 1, 0, null] },
    kind: ['ENTRY', 'CHECK', 'CHECK', 'ENTRY', 'BORDER'],
  };
  const { body } = await owner.call('POST', `${project.address}/trials`, {
    ...{ name: `Trial ${++made}`, season: '2026', entries: ['B73', 'Mo17'], traits: ['Yield', 'Lodging'] },
    places: [{ location_name: 'North', layout }],
  });
  const address = `${project.address}/trials/${body.data[0].id}`;
  expect((await owner.call('PUT', address, { state: 'SOWN' })).status).toBe(200);
  return address;
}
const value = (plot: number, written: string | number | null, more: object = {}) => ({
  ...{ id: randomUUID(), plot, trait: 'Yield', value: written, observed_at: '2026-08-01T10:00:00.000Z' },
  ...more,
});
const record = (address: string, observations: object[], person = owner) =>
  person.call('POST', `${address}/observations`, { observations });
const valuesOf = async (address: string, trait = 'Yield') => {
  const { plot, value: values } = (await owner.call('GET', `${address}/observations?trait=${trait}`)).body;
  return plot.map((number: number, k: number) => [number, values[k]]);
};

test('what is sent twice is stored once, and numbers are written in one form', async () => {
  const address = await sown();
  const batch = [
    value(1, '5.50'),
    value(2, 6),
    value(3, 'NA'),
    value(1, 'some', { trait: 'Lodging', collector: 'Ana' }),
  ];
  const answer = await record(address, batch);
  expect([answer.status, answer.body]).toEqual([200, { recorded: 4, known: 0, conflicts: [] }]);
  // A phone that got no answer sends all again, with one more.
  const again = await Promise.all([record(address, [...batch, value(4, 7)]), record(address, batch)]);
  expect(again.map(({ body }) => [body.recorded, body.known])).toEqual([
    [1, 4],
    [0, 4],
  ]);
  expect(await valuesOf(address)).toEqual([
    [1, '5.5'],
    [2, '6'],
    [3, null],
    [4, '7'],
  ]);
  expect((await owner.call('GET', address)).body).toMatchObject({ collected: 5, expected: 8 });
  const reused = await record(address, [{ ...batch[0], value: 9 }]);
  expect([reused.status, reused.body.details.errors[0].code]).toEqual([422, 'id-reused']);
});

test('one bad value saves none of its request, and each is named', async () => {
  const address = await sown();
  const bad = [
    value(1, 25),
    value(2, 'many'),
    value(1, 'half', { trait: 'Lodging' }),
    value(77, 5),
    value(5, 5),
    value(1, 5, { trait: 'Colour' }),
  ];
  const answer = await record(address, [value(1, 5), ...bad]);
  expect([answer.status, answer.body.code]).toEqual([422, 'trials/values-refused']);
  expect(answer.body.details.errors.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual([
    [1, 'misfit'],
    [2, 'misfit'],
    [3, 'misfit'],
    [4, 'unknown-plot'],
    [5, 'not-planted'],
    [6, 'unknown-trait'],
  ]);
  expect(answer.body.detail).toContain('"Yield" on plot 1: 25 is above the upper limit 20.');
  expect(await valuesOf(address)).toEqual([]);
  expect((await owner.call('GET', address)).body.collected).toBe(0);
});

test('a correction keeps the former value, whichever arrives first', async () => {
  const address = await sown();
  const first = value(1, 5);
  const second = value(1, 6, { corrects: [first.id], observed_at: '2026-08-02T10:00:00.000Z' });
  const third = value(1, 7, { corrects: [second.id], observed_at: '2026-08-03T10:00:00.000Z' });
  await record(address, [first]);
  // Two phones come into range in another order than they were used in.
  expect((await record(address, [third], member)).body.conflicts).toEqual([{ plot: 1, trait: 'Yield' }]);
  expect((await record(address, [second])).body).toEqual({ recorded: 1, known: 0, conflicts: [] });
  expect(await valuesOf(address)).toEqual([[1, '7']]);
  const { data } = (await owner.call('GET', `${address}/plots/1/observations`)).body;
  const shown = data.map((one: TrialObservation) => [one.value, one.is_current, one.created_by]);
  expect(shown.sort()).toEqual([
    ['5', false, owner.email],
    ['6', false, owner.email],
    ['7', true, member.email],
  ]);
  expect((await owner.call('GET', address)).body.collected).toBe(1);
  // Of as many that they are not looked up one by one.
  const many = Array.from({ length: 501 }, () => value(2, 5));
  await record(
    address,
    many.map(({ id }) => value(2, 6, { corrects: [id] })),
  );
  expect((await record(address, many)).body).toMatchObject({ recorded: 501, conflicts: [] });
  expect(new Set((await valuesOf(address)).map(String))).toEqual(new Set(['1,7', '2,6']));
  const stranger = await record(address, [value(2, 5, { corrects: [third.id] })]);
  expect(stranger.body.details.errors[0].code).toBe('corrects-other');
  expect((await owner.call('GET', `${address}/plots/9/observations`)).status).toBe(404);
});

test('two values of one plot from two devices are both kept, and are one question until somebody settles it', async () => {
  const address = await sown();
  const [mine, yours, equal] = [value(1, 5), value(1, 6), value(2, 8)];
  const answers = await Promise.all([
    record(address, [mine, equal]),
    record(address, [yours, { ...equal, id: randomUUID() }], member),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers.flatMap(({ body }) => body.conflicts)).toEqual([{ plot: 1, trait: 'Yield' }]);
  const open = (await owner.call('GET', `${address}/conflicts`)).body;
  expect(open.total).toBe(1);
  expect(open.data[0].observations.map((one: TrialObservation) => one.value).sort()).toEqual(['5', '6']);
  expect((await owner.call('GET', `${address}/completeness`)).body).toMatchObject({
    planted: 4,
    traits: [
      { trait: 'Yield', values: 2, missing: 0, set_aside: 0, conflicts: 1 },
      { trait: 'Lodging', values: 0, first_at: null },
    ],
  });
  const settled = await member.call('POST', `${address}/conflicts/settle`, {
    keep: [yours.id],
    reason: 'Weighed again',
  });
  expect(settled.body).toEqual({ changed: 1 });
  expect((await owner.call('GET', `${address}/conflicts`)).body).toEqual({
    total: 0,
    data: [] satisfies TrialConflict[],
  });
  const history = (await owner.call('GET', `${address}/plots/1/observations`)).body.data;
  expect(history.find((one: TrialObservation) => one.id === mine.id)).toMatchObject({
    ...{ value: '5', state: 'SET_ASIDE', reason: 'Weighed again', judged_by: member.email },
  });
});

test('a value is set aside with a reason, kept again, and both are told', async () => {
  const address = await sown();
  const one = value(1, 5);
  await record(address, [one, value(2, null)]);
  const judge = (what: string, body: object) => owner.call('POST', `${address}/observations/${what}`, body);
  expect((await judge('set_aside', { observations: [one.id] })).status).toBe(400);
  expect((await judge('set_aside', { observations: [one.id, randomUUID()], reason: 'Hail' })).status).toBe(404);
  expect((await judge('set_aside', { observations: [one.id], reason: 'Hail' })).body).toEqual({ changed: 1 });
  expect((await judge('set_aside', { observations: [one.id], reason: 'Hail' })).body).toEqual({ changed: 0 });
  const { traits, days } = (await owner.call('GET', `${address}/completeness`)).body;
  expect(traits[0]).toMatchObject({ values: 0, missing: 1, set_aside: 1 });
  expect(days).toEqual([{ day: '2026-08-01', trait: 'Yield', collector: owner.email, values: 1 }]);
  expect((await owner.call('GET', address)).body.collected).toBe(1);
  expect((await judge('keep', { observations: [one.id] })).body).toEqual({ changed: 1 });
  expect((await owner.call('GET', address)).body.collected).toBe(2);
  const { data } = (await owner.call('GET', `${address}/events?limit=2`)).body;
  expect(data.map(({ type, plots, note }: Record<string, unknown>) => [type, plots, note])).toEqual([
    ['KEPT', [1], null],
    ['SET_ASIDE', [1], 'Hail'],
  ]);
});

test('the first value fixes a layout, a further trait joins the trial, and a closed trial takes none', async () => {
  const address = await sown();
  expect((await owner.call('PUT', address, { state: 'DRAFT' })).status).toBe(200);
  expect((await record(address, [value(1, 'leaned', { trait: 'Note' })])).status).toBe(200);
  expect((await owner.call('GET', address)).body).toMatchObject({
    ...{ state: 'SOWN', traits: ['Yield', 'Lodging', 'Note'], collected: 1, expected: 12 },
  });
  const drafted = await owner.call('PUT', address, { state: 'DRAFT' });
  expect([drafted.status, drafted.body.code]).toEqual([409, 'trials/has-values']);
  await owner.call('PUT', address, { state: 'CLOSED' });
  const late = await record(address, [value(2, 5)]);
  expect([late.status, late.body.code]).toEqual([409, 'trials/closed']);
});
