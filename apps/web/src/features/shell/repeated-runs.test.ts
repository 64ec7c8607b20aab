import { allTogether, everyOption } from '@heterosis/contracts/options/every-option.test-data';
import { RUN_CONTRACTS } from '@heterosis/contracts/work/run-contracts';
import { RUN_KINDS, runKinds } from '@heterosis/contracts/work/run-kinds';
import { expect, test } from 'vitest';
import { installBrowser } from '../../testing/browser.ts';
import { AGAIN, ID, type Repeated } from '../../testing/repeated-runs.ts';

// What the modules of the dialogs need of a browser is read when they are loaded.
installBrowser();
const REPEATED = import.meta.glob<{ repeated: Repeated }>('../work/*/repeated.test-data.ts');

interface Asked extends Record<string, unknown> {
  name: string;
}

/** A run that was asked for, as its page knows it. */
function runOf(asked: Asked): object {
  const { seed = 1, dominance_effect, pedigree, traits = [], ...parameters } = asked;
  const file = (id: unknown) => ({ id, name: 'a file' });
  const inputs = Object.entries(parameters).flatMap(([key, id]): [string, unknown][] => {
    if (key.endsWith('_ids') && Array.isArray(id)) return [[`${key.slice(0, -'_ids'.length)}s`, id.map(file)]];
    return key.endsWith('_id') ? [[key.slice(0, -'_id'.length), file(id)]] : [];
  });
  return {
    ...{ id: ID(9), name: 'Yield', traits, include_dominance_effects: dominance_effect, compared_with: pedigree },
    ...Object.fromEntries(inputs),
    provenance: { seed, parameters },
  };
}

test.each(runKinds)('a %s that is repeated asks for all that was asked', async (kind) => {
  const { path } = RUN_KINDS[kind];
  const load = REPEATED[`../work/${path.replaceAll('_', '-')}/repeated.test-data.ts`];
  expect(load, `${path} has no repeated.test-data.ts in its folder`).toBeDefined();
  const { own, inputs, again } = (await load!()).repeated;
  const { options: table, endpoints } = RUN_CONTRACTS[path];
  const { body: schema } = endpoints.createRun;
  const requests = [...everyOption(table, own), allTogether(table, own)];
  for (const options of requests) {
    const asked = { ...inputs(options), ...options, ...pickNull(inputs(options)), name: AGAIN };
    const read = schema.safeParse(asked);
    expect(read.error, JSON.stringify(options)).toBeUndefined();
    const repeated = again(runOf(read.data as Asked) as never);
    expect(plain(schema.parse(repeated)), JSON.stringify(options)).toEqual(plain(read.data));
  }
  expect(requests.length).toBeGreaterThan(3);
});

/** Without what is undefined. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** What inputs decide whatever was asked. */
const pickNull = (inputs: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(inputs).filter(([, value]) => value === null));
