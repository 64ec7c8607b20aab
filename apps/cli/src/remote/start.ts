import { RUN_CONTRACTS } from '@heterosis/contracts/work/run-contracts';
import { RUN_KINDS, type RunPath } from '@heterosis/contracts/work/run-kinds';
import { type Command, defineCommand, inputError, type OptionTable, type OptionValues } from '../command.ts';
import { type Connection, connect } from './connection.ts';
import { findCredentials } from './credentials.ts';
import { findFile, findProject, findRun, type InProject, PROJECT_OPTION } from './places.ts';
import { ended } from './wait.ts';

const COMMON = {
  ...PROJECT_OPTION,
  name: { kind: 'name', required: true, placeholder: 'NAME', help: 'Name of the run.' },
  settings: {
    kind: 'text',
    placeholder: 'JSON',
    help: 'Further fields of the request, as the API page of the server lists them, for example {"fixed": 3}.',
  },
  wait: { kind: 'flag', help: 'Wait for the end of the run. Exit code 2 when it fails.' },
} as const satisfies OptionTable;

const GENOTYPE = { kind: 'name', required: true, placeholder: 'FILE', help: 'Name or id of the genotype.' } as const;
const MODEL = { kind: 'name', required: true, placeholder: 'MODEL', help: 'Name or id of the model.' } as const;
const OF_TRAITS = {
  genotype: GENOTYPE,
  phenotype: { kind: 'name', required: true, placeholder: 'FILE', help: 'Name or id of the phenotype file.' },
  traits: { kind: 'list', required: true, placeholder: 'TRAIT,TRAIT', help: 'Traits, as the phenotype file has them.' },
} as const satisfies OptionTable;

const OUTPUT = ['The id of the run, at once or, with --wait, at its end.'];

export const trainCommand = startCommand('train', RUN_KINDS.model.path, OF_TRAITS, 'train models on the server');
export const gwasCommand = startCommand('gwas', RUN_KINDS.gwas.path, OF_TRAITS, 'run a GWAS on the server');
export const predictCommand = startCommand(
  'predict',
  RUN_KINDS.prediction.path,
  { model: MODEL, genotype: GENOTYPE },
  'predict breeding values on the server',
);
export const crossCommand = startCommand(
  'cross',
  RUN_KINDS.crossing_simulation.path,
  {
    model: MODEL,
    genotype: GENOTYPE,
    'crossing-table': { kind: 'name', required: true, placeholder: 'FILE', help: 'Name or id of the crossing table.' },
  },
  'simulate the progeny of crosses on the server',
);

function startCommand(verb: string, path: RunPath, inputs: OptionTable, summary: string): Command {
  const values = Object.entries(inputs).map(([name, { placeholder }]) => `--${name} ${placeholder}`);
  return defineCommand({
    name: `remote ${verb}`,
    summary,
    description: [
      'Inputs are files and runs of the project, by name or id. Settings that are not given have the defaults of the server.',
    ],
    options: { ...COMMON, ...inputs },
    output: OUTPUT,
    examples: [`heterosis remote ${verb} --project "Maize 2026" --name Yield ${values.join(' ')} --wait`],
    async run(options, io) {
      const connection = connect(findCredentials(), io.context.signal);
      const project = await findProject(connection, options.project);
      const body = {
        ...readSettings(options.settings),
        name: options.name,
        ...(await inputsOf(connection, project, options)),
      };
      // The server says which settings it does not know.
      const { id } = await connection.call(RUN_CONTRACTS[path].endpoints.createRun, {
        ...project,
        body: body as never,
      });
      const run = { ...project, path, id };
      const answer = options.wait
        ? await ended(connection, io, run)
        : await connection.call(RUN_CONTRACTS[path].endpoints.readRun, run);
      return { summary: { run: answer }, lines: [id] };
    },
  });
}

/** The inputs of the request: those that the command has an option for. */
async function inputsOf(
  connection: Connection,
  project: InProject,
  options: OptionValues<OptionTable>,
): Promise<object> {
  const idOf = async (option: string, find: (name: string) => Promise<{ id: string }>) => {
    const name = options[option];
    return typeof name === 'string' ? { [`${option.replaceAll('-', '_')}_id`]: (await find(name)).id } : {};
  };
  const { traits } = options;
  return {
    ...(await idOf('genotype', (name) => findFile(connection, project, name, 'GENOTYPE'))),
    ...(await idOf('phenotype', (name) => findFile(connection, project, name, 'PHENOTYPE'))),
    ...(traits === undefined ? {} : { traits }),
    ...(await idOf('model', (name) => findRun(connection, project, RUN_KINDS.model.path, name))),
    ...(await idOf('crossing-table', (name) => findFile(connection, project, name, 'CROSSING_TABLE'))),
  };
}

function readSettings(text: string | undefined): object {
  if (text === undefined) return {};
  try {
    const settings: unknown = JSON.parse(text);
    if (typeof settings === 'object' && settings !== null && !Array.isArray(settings)) return settings;
  } catch {
    // Refused below, like JSON of another shape.
  }
  throw inputError('E-CLI-VALUE', '--settings is not a JSON object.', 'Write it in quotes: \'{"fixed": 3}\'.');
}
