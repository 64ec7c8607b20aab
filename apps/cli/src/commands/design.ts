import { PLACEHOLDERS, placeName } from '@heterosis/analysis/designs/design-tables';
import { openEntries } from '@heterosis/analysis/designs/open-entries';
import { type DesignInput, entryKinship, planDesign, planSizes } from '@heterosis/analysis/designs/plan-design';
import { type ReportedVariances, reportedVariances } from '@heterosis/analysis/designs/variance-components';
import { complaintsOf, inputsOf } from '@heterosis/contracts/options/define-options';
import { DESIGN_OPTIONS } from '@heterosis/contracts/options/design';
import { flagsOf, optionsOfFlags } from '@heterosis/contracts/options/option-flags';
import { type Command, defineCommand, inputError, type OptionValues } from '../command.ts';
import { writeOutput } from '../write-output.ts';

export const designCommand: Command = defineCommand({
  name: 'design',
  summary: 'lay out field trials: randomised, with efficient blocks, rows and columns',
  description: [
    'Draws a design at random and exchanges plots within its constraints while that lowers the average variance of a difference of two lines, with a penalty for plots of a line that are neighbours or share a row or column, and a smaller one for neighbours of one family. The same seed gives the same file on every machine. Names do not matter: other names give the same map.',
    'crd: any entry in any plot, without an exchange. rcbd: every replicate a block of all entries. alpha: replicates of blocks of --block-size plots. row-column: replicates are rectangles whose rows and columns are both blocks, see --resolvable. p-rep: the column replicates says how often each entry stands; without it as many entries as --rows and --columns have room for stand in --replicates plots, the others in one. augmented: entries once, every check in every block. diagonal: entries once, checks on diagonals as many as the field has room for. split-plot: a whole plot for each of --main-plots in every replicate, or for each family. sparse: every line at --replicates of the --places, checks at all.',
    'Blocks follow the walk through the field, row by row, every second row backwards; a replicate begins in a row of its own where there is room. Cells that are left are fillers. Sides of the field that are not given are chosen. A hole must not cut a block.',
    'Sparse designs make the numbers of lines that two places share as equal as possible, and with them those of the places that two lines share. With a kinship, families, or --variances with the report of a series, they then maximise CDmean (Rincent et al. 2012): of the mean over the places, with the factors, specific variances and plots of the environments that have the names of --place-names, and those of an average environment elsewhere.',
    '--sizes writes what accuracy to expect of every number of places and replicates, and its cost: the root of σ²g / (σ²g + σ²gp/places + σ²e/(places × replicates)), from variances of an earlier trial and series or as given.',
  ],
  options: flagsOf(DESIGN_OPTIONS),
  output: [
    'Layout: place, plot, row, column, replicate, block, entry, kind (entry, check, filler, border), in the order of the plots; split-plot also whole_plot, and with --plot-name plot_name. Blocks are numbered within a place, replicates of p-rep are the parts of the field that hold a copy of each replicated entry.',
    'Report: places, each with efficiency (average efficiency factor), upper_bound, share_of_bound, concurrences (pairs by how often they meet in blocks, rows, columns), neighbours and shared (pairs of plots of one entry); allocation of sparse designs with concurrences, cd_mean, pev_mean and expected_accuracy.',
    'Sizes: places, replicates, plots, cost, heritability, accuracy, best (1 where nothing cheaper is as accurate).',
  ],
  examples: [
    'heterosis design --design alpha --entries entries.csv --replicates 3 --block-size 8 --seed 7 --out layout.csv --report design.json',
    'heterosis design --design p-rep --entries entries.csv --rows 20 --columns 30 --places 4 --out layout.csv',
    'heterosis design --design augmented --entries entries.csv --checks CK1,CK2 --block-size 20 --plot-name "{place}-{plot:4}" --out layout.csv',
    'heterosis design --design sparse --entries entries.csv --places 10 --replicates 4 --sizes sizes.csv --variances trial.json,series.json --out layout.csv',
    'heterosis design --design sparse --entries entries.csv --places 3 --place-names Kiel,Ulm,Halle --replicates 2 --kinship-file kinship.csv --variances trial.json,series.json --out layout.csv',
  ],
  async run(options, io) {
    const given = optionsOfFlags(DESIGN_OPTIONS, options);
    const [complaint] = complaintsOf(DESIGN_OPTIONS, given);
    if (complaint !== undefined) throw inputError('E-CLI-VALUE', complaint.message, complaint.action);
    const { entries, problems } = await openEntries(options.entries, io.context);
    io.report(problems, options.entries);
    const inputs = inputsOf(DESIGN_OPTIONS, given);
    const kinship =
      options['kinship-file'] === undefined
        ? undefined
        : await entryKinship(
            options['kinship-file'],
            entries.map(({ name }) => name),
            io.context,
          );
    const { rows, columns, borders, start, along, numbering, checkPlacing, ...rest } = inputs;
    const reported = options.variances && (await reportedVariances(options.variances, options.trait));
    const names = namesOf(options, inputs.places);
    const request: DesignInput = {
      ...rest,
      ...{ entries, names, ...(rest.design === 'sparse' && placesOf(reported, names, inputs.places)) },
      field: {
        ...(rows === undefined ? {} : { rows }),
        ...(columns === undefined ? {} : { columns }),
        ...{ holes: cellsOf('holes', options.holes), borders, start, along, numbering },
      },
      checkPlaces: options['check-plots'] === undefined ? checkPlacing : cellsOf('check-plots', options['check-plots']),
      ...(kinship === undefined ? {} : { kinship }),
    };
    const { layout, report } = planDesign(request);
    const sizes = options.sizes === undefined ? null : sizesOf(options, request, reported);
    if (options.sizes !== undefined && sizes !== null) await writeOutput(options.sizes, sizes.csv);
    if (options.report !== undefined) await writeOutput(options.report, [`${JSON.stringify(report, null, 2)}\n`]);
    await writeOutput(options.out, layout);
    const written = [options.sizes, options.report, options.out].filter((path) => path !== undefined);
    return {
      summary: { ...report, ...(sizes === null ? {} : { variances: sizes.variances }), out: options.out },
      lines: [
        ...report.places.map(placeInWords),
        ...allocationInWords(report.allocation),
        ...(sizes === null ? [] : sizesInWords(sizes)),
        ...written.map((path) => `written: ${path}`),
      ],
    };
  },
});

type Options = OptionValues<ReturnType<typeof flagsOf<typeof DESIGN_OPTIONS>>>;
type Report = ReturnType<typeof planDesign>['report'];
type GridPlace = DesignInput['field']['holes'][number];

function cellsOf(flag: string, texts: readonly string[] = []): GridPlace[] {
  return texts.map((text) => {
    const [, row, column] = /^(\d{1,5}):(\d{1,5})$/.exec(text) ?? [];
    if (Number(row) >= 1 && Number(column) >= 1) return { row: Number(row), column: Number(column) };
    throw inputError('E-CLI-VALUE', `--${flag} names "${text}", which is no cell.`, 'Write 3:4 for row 3, column 4.');
  });
}

function namesOf(options: Options, places: number) {
  const names = options['place-names'];
  const template = options['plot-name'];
  if (names !== undefined && names.length !== places) {
    throw inputError(
      'E-CLI-VALUE',
      `--place-names has ${names.length} different names for ${places} ${places === 1 ? 'place' : 'places'}.`,
      `Name every place once, or give --places ${names.length}.`,
    );
  }
  const unknown = [...(template ?? '').matchAll(/\{([^}]*)\}/g)].find(
    ([, name = '']) => !PLACEHOLDERS.some((known) => new RegExp(`^${known}(:\\d)?$`).test(name)),
  );
  if (unknown !== undefined) {
    throw inputError(
      'E-CLI-VALUE',
      `--plot-name has ${unknown[0]}, and there is no such part of a name.`,
      `Choose from ${PLACEHOLDERS.map((name) => `{${name}}`).join(', ')}.`,
    );
  }
  return {
    firstPlot: options['first-plot'],
    ...(names === undefined ? {} : { places: names }),
    ...(template === undefined ? {} : { template }),
  };
}

/** What a series says of the places; nothing without one. */
function placesOf(reported: ReportedVariances | undefined, names: DesignInput['names'], places: number) {
  if (!reported?.placesOf) return {};
  return { placeModel: reported.placesOf(Array.from({ length: places }, (_, place) => placeName(names, place))) };
}

function sizesOf(options: Options, { entries, checks }: DesignInput, reported: ReportedVariances | undefined) {
  const read: ReportedVariances['components'] = reported?.components ?? {};
  const lines = options['variance-lines'] ?? read.lines;
  const residual = options['variance-residual'] ?? read.residual;
  if (lines === undefined || residual === undefined) {
    throw inputError(
      'E-CLI-MISSING',
      `--sizes needs the variance of ${lines === undefined ? 'lines' : 'plots'}.`,
      `Give --variances trial.json,series.json, or --variance-${lines === undefined ? 'lines' : 'residual'}.`,
    );
  }
  const variances = { lines, interaction: options['variance-interaction'] ?? read.interaction ?? 0, residual };
  const limits = { places: options['most-places'], replicates: options['most-replicates'] };
  const costs = { plot: options['cost-plot'], place: options['cost-place'] };
  return { variances, ...planSizes(variances, { entries: entries.length - checks.length, ...limits }, costs) };
}

function placeInWords(place: Report['places'][number]): string {
  const { efficiency, upper_bound: bound, neighbours, shared } = place;
  return [
    `place ${place.place}: ${place.rows} × ${place.columns}, ${place.entries} entries on ${place.plots} plots`,
    ...(place.fillers > 0 ? [`${place.fillers} fillers`] : []),
    ...(efficiency === null
      ? []
      : [`efficiency ${efficiency.toFixed(4)}${bound === null ? '' : ` of at most ${bound.toFixed(4)}`}`]),
    `pairs of plots of one entry: ${neighbours.same_entry} neighbours, ${shared.rows} in a row, ${shared.columns} in a column`,
  ].join(', ');
}

function allocationInWords(allocation: Report['allocation']): string[] {
  if (allocation === null) return [];
  const { concurrences_of_places: places, concurrences_of_lines: lines, cd_mean: cd } = allocation;
  return [
    `two places share ${places.min} to ${places.max} lines, two lines ${lines.min} to ${lines.max} places`,
    ...(cd === null ? [] : [`CDmean ${cd.toFixed(4)}, expected accuracy ${Math.sqrt(Math.max(0, cd)).toFixed(3)}`]),
  ];
}

function sizesInWords({ variances, sizes }: ReturnType<typeof sizesOf>): string[] {
  return [
    `variances: lines ${variances.lines}, lines × places ${variances.interaction}, plots ${variances.residual}`,
    ...sizes
      .filter(({ isBest }) => isBest)
      .map(
        ({ places, replicates, cost, accuracy }) =>
          `  ${places} places × ${replicates} replicates: cost ${Number(cost.toPrecision(6))}, accuracy ${accuracy.toFixed(3)}`,
      ),
  ];
}
