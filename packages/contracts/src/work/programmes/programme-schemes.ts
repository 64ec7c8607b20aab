// A breeding programme to simulate, as a file says it: the help page docs/user-guide/programmes.md explains each field.
import * as z from 'zod';

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,62}$/;
/** Of populations, columns, models, stages of results and quantities. */
const word = z.string().regex(NAME, 'A name begins with a letter, then letters, digits and _ (at most 63)');
const count = z.int().min(1).max(1_000_000);
const variance = z.number().min(0).max(1e12);
const price = z.number().min(0).max(1e9);
const error = z.strictObject({ environment: variance, plot: variance });

const frame = {
  name: z.string().min(1).max(120).optional(),
  years: z.number().min(0).max(100).optional(),
};
const design = {
  trait: z.string().min(1).max(255),
  environments: z.int().min(1).max(1000),
  replicates: z.int().min(1).max(1000),
  as: word,
  error: error.optional(),
  same_plots: z.boolean().optional(),
};
const statistic = z.union([
  z.strictObject({ mean: word }),
  z.strictObject({ variance: word }),
  z.strictObject({ sd: word }),
  z.strictObject({ max: word }),
  z.strictObject({ min: word }),
  z.strictObject({ correlation: z.tuple([word, word]), within_families: z.boolean().optional() }),
]);

const STAGES = [
  z.strictObject({
    do: z.literal('take'),
    ...frame,
    from: word,
    into: word,
    individuals: z.array(z.string().min(1)).min(1).optional(),
    range: z
      .tuple([count, count])
      .refine(([first, last]) => first <= last, 'A range ends after it begins')
      .optional(),
  }),
  z.strictObject({
    do: z.literal('cross'),
    ...frame,
    from: word,
    with: word.optional(),
    into: word,
    plan: z.enum(['circular', 'random', 'all', 'paired', 'useful', 'optimal']),
    crosses: count.optional(),
    progeny: count.optional(),
    model: word.optional(),
    selected: z.number().gt(0).max(1).optional(),
    most_uses: count.optional(),
    by: word.optional(),
    rate: z.number().min(0).max(1).optional(),
  }),
  z.strictObject({
    do: z.literal('backcross'),
    ...frame,
    from: word,
    to: word,
    into: word,
    progeny: count.optional(),
  }),
  z.strictObject({
    do: z.literal('self'),
    ...frame,
    from: word,
    into: word,
    progeny: count.optional(),
    generations: z.int().min(1).max(50).optional(),
  }),
  z.strictObject({ do: z.literal('dh'), ...frame, from: word, into: word, lines: count }),
  z.strictObject({ do: z.literal('genotype'), ...frame, population: word }),
  z.strictObject({ do: z.literal('phenotype'), ...frame, population: word, ...design }),
  z.strictObject({ do: z.literal('testcross'), ...frame, population: word, testers: word, ...design }),
  z.strictObject({ do: z.literal('combine'), ...frame, population: word, columns: z.array(word).min(1), as: word }),
  z.strictObject({
    do: z.literal('index'),
    ...frame,
    population: word,
    weights: z.record(word, z.number()),
    as: word,
  }),
  z.strictObject({
    do: z.literal('train'),
    ...frame,
    model: word,
    population: word,
    column: word,
    window: z.int().min(1).max(1000).optional(),
    stage: word.optional(),
  }),
  z.strictObject({ do: z.literal('predict'), ...frame, model: word, population: word, as: word }),
  z.strictObject({
    do: z.literal('score'),
    ...frame,
    population: word,
    as: word,
    kind: z.enum(['value', 'hybrid', 'share', 'copies', 'segment', 'ohv', 'random']),
    trait: z.string().min(1).max(255).optional(),
    with: word.optional(),
    like: word.optional(),
    unlike: word.optional(),
    loci: z.array(z.string().min(1)).min(1).optional(),
    locus_kind: z.string().min(1).optional(),
    chromosomes: z.array(z.string().min(1)).min(1).optional(),
    model: word.optional(),
    blocks: z.int().min(1).max(1000).optional(),
  }),
  z.strictObject({
    do: z.literal('select'),
    ...frame,
    from: word,
    into: word,
    by: z.union([word, z.array(word).min(1)]),
    count,
    low: z.boolean().optional(),
    per_family: count.optional(),
    require: z.record(word, z.number()).optional(),
  }),
  z.strictObject({ do: z.literal('recycle'), ...frame, from: word, into: word }),
  z.strictObject({
    do: z.literal('measure'),
    ...frame,
    stage: word,
    population: word,
    criterion: word.optional(),
    trait: z.string().min(1).max(255).optional(),
    selected: word.optional(),
    hybrids_with: word.optional(),
    report: z.record(word, statistic).optional(),
  }),
  z.strictObject({ do: z.literal('release'), ...frame, from: word, by: word, count, stage: word.optional() }),
] as const;

/** One stage; `do` says which fields it has. */
const stage = z.discriminatedUnion('do', STAGES);

/** What the stages can do, in the order of the help. */
const STAGE_KINDS = STAGES.map((one) => one.shape.do.value);

const MOST_STAGES = 500;
const stages = z.array(stage).max(MOST_STAGES);

const scheme = z.strictObject({
  name: z.string().min(1).max(255),
  cycles: z.int().min(0).max(200),
  first_cycle: z.int().min(0).max(1000).optional(),
  error,
  dominance: z.boolean().optional(),
  costs: z
    .strictObject({ cross: price, self: price, dh: price, genotype: price, plot: price, seed: price })
    .partial()
    .optional(),
  index: z.record(z.string(), z.number()).optional(),
  start: stages,
  cycle: stages,
  end: stages.optional(),
});
type SchemeFile = z.infer<typeof scheme>;
export interface ProgrammeScheme extends SchemeFile {}
/** A scheme file. The type by its name: those of the contracts of runs would else spell out all stages. */
export const programmeScheme: z.ZodType<ProgrammeScheme, ProgrammeScheme> = scheme.meta({ id: 'ProgrammeScheme' });
export type ProgrammeStage = ProgrammeScheme['cycle'][number];

/** What is wrong with a scheme, at which stage and in which field; both empty for the file as a whole. */
export interface SchemeProblem {
  /** Such as `cycle, stage 3 (dh)`. */
  stage: string;
  field: string;
  message: string;
}

/** A scheme, or everything that is wrong with it. */
export function parseScheme(text: string): { scheme: ProgrammeScheme; problems: [] } | { problems: SchemeProblem[] } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { problems: [{ stage: '', field: '', message: `It is not JSON: ${(error as Error).message}` }] };
  }
  const parsed = programmeScheme.safeParse(json);
  if (!parsed.success) return { problems: parsed.error.issues.map((issue) => problemOf(issue, json)) };
  const problems = schemeProblems(parsed.data);
  return problems.length > 0 ? { problems } : { scheme: parsed.data, problems: [] };
}

function problemOf(issue: z.core.$ZodIssue, json: unknown): SchemeProblem {
  const [list, place, ...field] = issue.path;
  const isStage = typeof place === 'number';
  const path = isStage ? field : issue.path;
  const found = isStage ? (json as Record<string, { do?: unknown }[]>)[String(list)]?.[place] : undefined;
  const message =
    issue.code === 'unrecognized_keys'
      ? `There is no field ${issue.keys.map((key) => `"${key}"`).join(', ')} here`
      : issue.path.at(-1) === 'do'
        ? `A stage does one of ${STAGE_KINDS.join(', ')}`
        : issue.message;
  return {
    stage: isStage ? stagePlace(String(list), place, String(found?.do ?? 'unknown')) : '',
    field: path.join('.'),
    message,
  };
}

const stagePlace = (list: string, index: number, kind: string): string => `${list}, stage ${index + 1} (${kind})`;

/** What is known of a population before it exists. */
interface Known {
  columns: Set<string>;
  genotyped: boolean;
}

/** Names of values that every individual has, and of orders that need none. */
const isBuiltIn = (column: string): boolean => /^gv\d+$/.test(column) || column === 'random' || column === 'order';

/** Walks through the stages as they will be done, and says where one asks for what is not there. */
export function schemeProblems(scheme: ProgrammeScheme): SchemeProblem[] {
  const problems = new Map<string, SchemeProblem>();
  const walk: Walk = {
    populations: new Map([['founders', { columns: new Set<string>(), genotyped: true }]]),
    models: new Set(),
    problem: () => undefined,
  };
  // The second time a cycle begins with what the first one left.
  for (const list of ['start', 'cycle', 'cycle', 'end'] as const) {
    for (const [i, one] of (scheme[list] ?? []).entries()) {
      const place = stagePlace(list, i, one.do);
      walk.problem = (field, message) => {
        const key = `${place}\n${field}\n${message}`;
        if (!problems.has(key)) problems.set(key, { stage: place, field, message });
      };
      checkStage(one, walk);
    }
  }
  return [...problems.values()];
}

interface Walk {
  populations: Map<string, Known>;
  models: Set<string>;
  problem: (field: string, message: string) => void;
}

const POPULATION_FIELDS = ['from', 'to', 'with', 'population', 'testers', 'like', 'unlike', 'selected', 'hybrids_with'];

function checkStage(stage: ProgrammeStage, walk: Walk): void {
  const fields = stage as Record<string, unknown>;
  for (const field of POPULATION_FIELDS) {
    const name = fields[field];
    if (typeof name !== 'string' || walk.populations.has(name)) continue;
    walk.problem(
      field,
      `There is no population "${name}" at this point; there are ${[...walk.populations.keys()].join(', ')}`,
    );
  }
  const source = walk.populations.get(String(fields['population'] ?? fields['from']));
  if (source === undefined) return;
  const needColumn = (field: string, name: string) => {
    if (isBuiltIn(name) || source.columns.has(name)) return;
    const known = [...source.columns].join(', ') || 'none';
    walk.problem(field, `The population has no column "${name}" at this point; it has ${known}`);
  };
  for (const [field, name] of columnsUsed(stage)) needColumn(field, name);
  if ((stage.do === 'train' || stage.do === 'predict') && !source.genotyped) {
    walk.problem('population', `"${stage.population}" is not genotyped; put a stage "genotype" before`);
  }
  if (stage.do === 'train') walk.models.add(stage.model);
  else if ('model' in stage && stage.model !== undefined && !walk.models.has(stage.model)) {
    walk.problem('model', `No stage has trained the model "${stage.model}" at this point`);
  }
  if (stage.do === 'take' && stage.individuals !== undefined && stage.from !== 'founders') {
    walk.problem('individuals', 'Only founders have names; take a range of other populations');
  }
  for (const field of neededFields(stage)) {
    if (fields[field] === undefined) walk.problem(field, 'It is needed here');
  }
  if (stage.do === 'genotype') source.genotyped = true;
  if ('as' in stage) source.columns.add(stage.as);
  if ('into' in stage) {
    const keeps = stage.do === 'select' || stage.do === 'take' || stage.do === 'recycle';
    walk.populations.set(stage.into, {
      columns: new Set(keeps ? source.columns : []),
      genotyped: keeps && source.genotyped,
    });
  }
}

/** Fields that a plan or a kind of score is nothing without. */
function neededFields(stage: ProgrammeStage): string[] {
  if (stage.do === 'take') return stage.individuals === undefined ? ['range'] : [];
  if (stage.do === 'cross')
    return { useful: ['model'], optimal: ['by', 'rate'], paired: ['with'] }[stage.plan as string] ?? [];
  if (stage.do !== 'score') return [];
  const fields: Record<typeof stage.kind, string[]> = {
    value: [],
    hybrid: ['with'],
    share: ['like', 'unlike'],
    copies: ['like', 'loci'],
    segment: ['like', 'unlike', 'loci'],
    ohv: ['model'],
    random: [],
  };
  return fields[stage.kind];
}

function columnsUsed(stage: ProgrammeStage): [field: string, column: string][] {
  switch (stage.do) {
    case 'combine':
      return stage.columns.map((name) => ['columns', name]);
    case 'index':
      return Object.keys(stage.weights).map((name) => [`weights.${name}`, name]);
    case 'train':
      return [['column', stage.column]];
    case 'select':
      return [
        ...[stage.by].flat().map((name): [string, string] => ['by', name]),
        ...Object.keys(stage.require ?? {}).map((name): [string, string] => [`require.${name}`, name]),
      ];
    case 'cross':
      return stage.by === undefined ? [] : [['by', stage.by]];
    case 'release':
      return [['by', stage.by]];
    case 'measure':
      return [
        ...(stage.criterion === undefined ? [] : [['criterion', stage.criterion] as [string, string]]),
        ...Object.entries(stage.report ?? {}).flatMap(([quantity, one]) =>
          Object.values(one)
            .flat()
            .filter((name) => typeof name === 'string')
            .map((name): [string, string] => [`report.${quantity}`, name]),
        ),
      ];
    default:
      return [];
  }
}
