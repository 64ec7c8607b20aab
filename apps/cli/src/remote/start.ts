import { RUN_KINDS, type RunPath } from '@heterosis/contracts/work/run-kinds';
import {
  type Command,
  type CommandIo,
  type CommandResult,
  defineCommand,
  inputError,
  type OptionTable,
} from '../command.ts';
import { type Connection, connect } from './connection.ts';
import { findCredentials } from './credentials.ts';
import { findFile, findProject, findRun, PROJECT_OPTION } from './places.ts';
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

interface Inputs {
  genotype: string;
  phenotype?: string;
  traits?: string[];
  model?: string;
  'crossing-table'?: string;
}

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
        ...(await bodyOf(connection, project, options as unknown as Inputs)),
      };
      const { id } = await connection.call<{ id: string }>('POST', `${project}/${path}`, body);
      return await started(connection, io, `${project}/${path}/${id}`, id, options.wait);
    },
  });
}

async function started(
  connection: Connection,
  io: CommandIo,
  address: string,
  id: string,
  waits: boolean,
): Promise<CommandResult> {
  const run = waits ? await ended(connection, io, address) : await connection.call<object>('GET', address);
  return { summary: { run }, lines: [id] };
}

async function bodyOf(connection: Connection, project: string, inputs: Inputs): Promise<object> {
  const table = inputs['crossing-table'];
  const { genotype, phenotype, traits, model } = inputs;
  const { path } = RUN_KINDS.model;
  return {
    genotype_id: (await findFile(connection, project, genotype, 'GENOTYPE')).id,
    ...(phenotype === undefined
      ? {}
      : { phenotype_id: (await findFile(connection, project, phenotype, 'PHENOTYPE')).id }),
    ...(traits === undefined ? {} : { traits }),
    ...(model === undefined ? {} : { model_id: (await findRun(connection, project, path, model)).id }),
    ...(table === undefined
      ? {}
      : { crossing_table_id: (await findFile(connection, project, table, 'CROSSING_TABLE')).id }),
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
