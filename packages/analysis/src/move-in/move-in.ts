import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import { type ByteSource, openFileSource } from '@heterosis/file-formats/byte-source';
import { zipChunks } from '@heterosis/file-formats/compression/zip-writer';
import { detectFileKind } from '@heterosis/file-formats/detect-file-kind';
import { CHOSEN_FILE_TYPE_NAMES, isGenotypeFormat } from '@heterosis/file-formats/file-kinds';
import { markerListKind } from '@heterosis/file-formats/genotype/readers/marker-list';
import { GERMINATE_SHEETS, type MadeOf } from '@heterosis/file-formats/move-in/layouts';
import { FileFormatError } from '@heterosis/file-formats/problem';
import { headerKey } from '@heterosis/file-formats/tables/text/cell-values';
import { csvRow } from '@heterosis/file-formats/tables/text/csv-writer';
import { headerKeys, headersOf } from '@heterosis/file-formats/tables/text/header-spellings';
import { tableTypeOf } from '@heterosis/file-formats/tables/text/table-type';
import { csvCell } from '@heterosis/file-formats/text/csv-cell';
import type { AnalysisContext } from '../context.ts';
import { checkMade } from './check-made.ts';
import { joinedValues } from './joined-values.ts';
import type { Made, MadeType, MovedFile, NamedPlots } from './moved-file.ts';
import { isExample, isTemplate, type KnownSheet, knownSheet, readSheets, type Sheet } from './sheets.ts';
import { callsOf, type LeftBehind, linesOf, listTable, plotsOf, rowsBelow, type Table } from './tables.ts';

export interface MoveInInput {
  folder: string;
  /** A folder for what is made; created when it does not exist. */
  out: string;
}

/**
 * Recognises every file of a folder that another program left, writes what the product takes of it as files of our own
 * formats, and tells of each file what came in and what stayed behind. Bad content of a file never throws.
 */
export async function moveIn({ folder, out }: MoveInInput, context: AnalysisContext): Promise<MovedFile[]> {
  const names = await filesBelow(folder, out);
  await mkdir(out, { recursive: true });
  const mover = new Mover(folder, out, context);
  const moved: MovedFile[] = [];
  const sets = plinkSets(names);
  for (const [index, name] of names.entries()) {
    context.signal?.throwIfAborted();
    context.onProgress?.({ stage: 'read', done: index, total: names.length });
    const set = sets.get(name);
    if (set === undefined) moved.push(await mover.move(name));
    else if (set[0] === name) moved.push(await mover.packed(set, 'a PLINK set'));
    else moved.push(partOfSet(name, set));
  }
  await mover.joinPlotValues(moved);
  await mover.packWithMarkers(moved);
  return moved.map(withoutNothing);
}

/** Files of a folder and those below it, without hidden ones and what an earlier run made. */
async function filesBelow(folder: string, out: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => relative(out, path).startsWith('..'))
    .map((path) => relative(folder, path))
    .filter((path) => !path.split(/[/\\]/).some((part) => part.startsWith('.') || part.startsWith('~$')))
    .sort();
}

const PLINK_SETS = [
  ['.bed', '.bim', '.fam'],
  ['.ped', '.map'],
  ['.pgen', '.pvar', '.psam'],
] as const;

/** The files of each PLINK set that is whole, by the name of each of them. */
function plinkSets(names: readonly string[]): Map<string, string[]> {
  const all = new Set(names);
  const sets = new Map<string, string[]>();
  for (const [first, ...others] of PLINK_SETS)
    for (const name of names) {
      if (!name.endsWith(first)) continue;
      const stem = name.slice(0, -first.length);
      const set = [name, ...others.map((ending) => stem + ending)];
      if (set.every((one) => all.has(one))) for (const one of set) sets.set(one, set);
    }
  return sets;
}

const partOfSet = (file: string, [first = '']: readonly string[]): MovedFile => ({
  ...{ file, takenFor: 'a part of a PLINK set', cameWith: first, made: [], left: [], advice: [] },
});

/** A file of which nothing came in says so. */
function withoutNothing(moved: MovedFile): MovedFile {
  if (moved.made.length > 0 || moved.left.length > 0 || moved.cameWith !== undefined) return moved;
  const [why = 'nothing in it is read', ...advice] = moved.advice;
  return { ...moved, left: [{ what: 'the whole file', why, count: null }], advice };
}

/** Programs of R and their objects: nothing reads them but R. */
const R_FILES: Readonly<Record<string, string>> = {
  '.r': 'a program in R',
  '.rmd': 'a program in R',
  '.qmd': 'a program in R',
  '.rdata': 'objects of R',
  '.rda': 'objects of R',
  '.rds': 'an object of R',
  '.rproj': 'a project of RStudio',
  '.rhistory': 'a history of R',
};
const OTHER_FILES = /\.(?:md|pdf|docx?|pptx?|png|jpe?g|gif|tiff?|svg|html?|json|log|sh|py|sql|h5)$/i;

const TYPES: Partial<Record<MadeOf, MadeType>> = {
  phenotypes: 'PHENOTYPE',
  germplasm: 'GERMPLASM',
  pedigree: 'PEDIGREE',
  crosses: 'CROSSING_TABLE',
  calls: 'GENOTYPE',
};
const TYPE_NAMES: Record<MadeType, string> = { ...CHOSEN_FILE_TYPE_NAMES, GERMPLASM: 'Germplasm' };
/** How the file that is made of one ends. */
const ENDINGS: Record<MadeType, string> = {
  PHENOTYPE: 'phenotypes.csv',
  GERMPLASM: 'germplasm.csv',
  PEDIGREE: 'pedigree.csv',
  CROSSING_TABLE: 'crosses.csv',
  GENOTYPE: 'calls.csv',
  LINKAGE_MAP: 'map.csv',
  GENES: 'genes.gff3',
};

class Mover {
  readonly #folder: string;
  readonly #out: string;
  readonly #context: AnalysisContext;
  readonly #taken = new Set<string>();
  readonly #layouts: NamedPlots[] = [];
  readonly #values: { file: string; sheet: KnownSheet }[] = [];
  /** Matrices whose markers have no place, and lists of markers, by their names in the folder. */
  readonly #matrices: string[] = [];
  readonly #lists: string[] = [];

  constructor(folder: string, out: string, context: AnalysisContext) {
    this.#folder = folder;
    this.#out = out;
    this.#context = context;
  }

  async move(name: string): Promise<MovedFile> {
    const moved: MovedFile = { file: name, takenFor: 'a file of another kind', made: [], left: [], advice: [] };
    const ofR = R_FILES[extname(name).toLowerCase()];
    if (ofR !== undefined) {
      moved.takenFor = ofR;
      moved.advice.push(
        ofR.startsWith('object') || ofR.startsWith('an object')
          ? 'Only R reads it: write its tables with write.csv(…, row.names = FALSE), and move those in.'
          : 'It is a program and no data. Its analyses are runs here; see the help on scripts in R.',
      );
      return moved;
    }
    if (OTHER_FILES.test(name)) {
      moved.advice.push('It is no table and no genotype.');
      return moved;
    }
    if (/\.gff3?(?:\.gz)?$/i.test(name)) {
      moved.takenFor = 'an annotation of genes';
      moved.made.push(await this.#check(join(this.#folder, name), 'GENES'));
      return moved;
    }
    const source = await openFileSource(join(this.#folder, name), basename(name));
    try {
      await this.#moveSource(name, source, moved);
    } catch (error) {
      if (!(error instanceof FileFormatError)) throw error;
      moved.advice.push([error.problem.message, error.problem.suggestion].filter(Boolean).join(' '));
    } finally {
      await source.close();
    }
    return moved;
  }

  async #moveSource(name: string, source: ByteSource, moved: MovedFile): Promise<void> {
    const kind = await detectFileKind(source);
    if (kind.format === 'other') {
      moved.takenFor = kind.label;
      moved.advice.push(kind.advice ?? OLD_EXCEL);
      return;
    }
    const isTable = kind.format === 'table' || kind.format === 'workbook';
    if (isTable || isSmallMatrix(kind.format)) {
      const sheets = await readSheets(source, this.#context.signal);
      if (await this.#moveSheets(name, sheets, moved)) return;
      if (kind.format === 'workbook' || kind.format === 'table' || isTableOfScores(sheets)) {
        await this.#moveTable(name, sheets, moved);
        return;
      }
    }
    if (!isGenotypeFormat(kind.format)) return;
    moved.takenFor = kind.label;
    const made = await this.#check(join(this.#folder, name), 'GENOTYPE');
    const { markers, 'markers without place': unplaced } = made.counts;
    const isUnplaced = markers !== undefined && markers === unplaced;
    if (isUnplaced) this.#matrices.push(name);
    // Numbers between 0 and 2 are not always calls: spectra look the same.
    moved.made.push({ ...made, isSure: !(isUnplaced && kind.format === 'numeric-matrix') });
  }

  /** Makes the tables of a file of another program; false when none of its sheets is known. */
  async #moveSheets(name: string, sheets: readonly Sheet[], moved: MovedFile): Promise<boolean> {
    const known = sheets.flatMap((sheet) => knownSheet(sheet, sheets) ?? []);
    const [first] = known;
    if (first === undefined) return false;
    moved.takenFor = `${first.layout.program}: ${[...new Set(known.map(({ layout }) => layout.name))].join('; ')}`;
    moved.left.push(...otherSheets(sheets, known));
    for (const { problems } of known)
      moved.advice.push(...problems.map(({ message, line }) => `Line ${line}: ${message}`));
    const further = known.filter(({ layout }) => layout.name === FURTHER);
    for (const sheet of known) {
      const { layout } = sheet;
      const count = rowsBelow(sheet).length;
      if (count === 0) {
        moved.left.push({ what: layout.name, why: 'there are no rows below the header', count: null });
        continue;
      }
      if (layout.advice !== undefined) moved.advice.push(layout.advice);
      if (layout.becomes === 'nothing') moved.left.push({ what: layout.name, why: layout.why ?? '', count });
      else if (layout.becomes === 'plot values') this.#values.push({ file: name, sheet });
      else if (layout.becomes === 'phenotypes') await this.#movePlots(name, sheet, sheets, moved);
      else if (layout.becomes === 'calls') await this.#make(name, 'GENOTYPE', callsOf(sheet), moved);
      else if (layout.name !== FURTHER) {
        const table = listTable(sheet, layout.becomes === 'germplasm' && known.includes(first) ? further : []);
        moved.left.push(...table.left);
        await this.#make(name, TYPES[layout.becomes] ?? 'GERMPLASM', table, moved);
      }
    }
    return true;
  }

  async #movePlots(name: string, sheet: KnownSheet, sheets: readonly Sheet[], moved: MovedFile): Promise<void> {
    const lines = linesOf(sheet);
    if (lines !== null) await this.#make(name, 'GERMPLASM', lines, moved);
    const plots = plotsOf(sheet, stemOf(name));
    moved.left.push(...plots.left);
    if (plots.plotNames.length > 0) this.#layouts.push({ file: name, plots });
    if (plots.others.length > 0) {
      await this.#make(name, 'PHENOTYPE', withUnits(plots, sheets), moved);
      return;
    }
    moved.left.push({
      what: 'the layout of plots',
      why: 'no file of the folder has values of them',
      count: plots.rows.length,
    });
    moved.advice.push('Lay the trial out under Trials → New trial, or move in the layout together with its values.');
  }

  /** Values of plots, together with the layouts of other files that name their lines. */
  async joinPlotValues(moved: readonly MovedFile[]): Promise<void> {
    for (const { file, sheet } of this.#values) {
      const of = moved.find((one) => one.file === file);
      if (of === undefined) continue;
      const joined = joinedValues(sheet, this.#layouts, stemOf(file));
      of.left.push(...joined.left);
      if (joined.table === null) {
        of.advice.push(
          'Put the layout of the trial (plot_name, accession_name, plot_number …) into the folder as well.',
        );
        continue;
      }
      of.takenFor += `, with the layout of ${joined.layouts.join(', ')}`;
      await this.#make(file, 'PHENOTYPE', joined.table, of);
      for (const layout of joined.layouts) {
        const other = moved.find((one) => one.file === layout);
        if (other === undefined) continue;
        other.left = other.left.filter(({ what }) => what !== 'the layout of plots');
        other.advice = other.advice.filter((text) => !text.startsWith('Lay the trial out'));
        other.cameWith = file;
      }
    }
  }

  /** Calls whose markers have no place, in one zip with the list of markers of the folder, if there is one. */
  async packWithMarkers(moved: readonly MovedFile[]): Promise<void> {
    const [list, another] = this.#lists;
    for (const name of this.#matrices) {
      const of = moved.find((one) => one.file === name);
      if (of === undefined) continue;
      if (list === undefined || another !== undefined) {
        of.advice.push(
          list === undefined
            ? 'Its markers have no chromosome and position: add a table of them (marker, chrom, pos) to the folder. Look whether its numbers are calls before you upload it.'
            : `The folder has several lists of markers (${this.#lists.join(', ')}): leave the right one.`,
        );
        continue;
      }
      const [made] = (await this.packed([name, list], of.takenFor)).made;
      if (made === undefined || !made.isUsable) continue;
      of.made = [made];
      const ofList = moved.find((one) => one.file === list);
      if (ofList !== undefined) Object.assign(ofList, { cameWith: name, advice: [] });
    }
  }

  /** Files of a set in one zip, as our readers take them. */
  async packed(names: readonly string[], takenFor: string): Promise<MovedFile> {
    const [first = ''] = names;
    const path = this.#place(`${stemOf(first)}.zip`);
    const entries = names.map((name) => [basename(name), bytesOf(join(this.#folder, name))] as const);
    await writeFile(path, zipChunks(entries));
    return { file: first, takenFor, made: [await this.#check(path, 'GENOTYPE')], left: [], advice: [] };
  }

  /** A table that no other program is known to write: read as it is. */
  async #moveTable(name: string, sheets: readonly Sheet[], moved: MovedFile): Promise<void> {
    const [sheet] = sheets;
    const rows = sheet?.rows ?? [];
    const header = rows[0] ?? [];
    if (isSquare(rows)) {
      moved.takenFor = 'a matrix of relationships';
      moved.left.push({
        what: 'the matrix',
        why: 'relationships are computed from markers or pedigrees here',
        count: null,
      });
      return;
    }
    if (sheet?.name === null && markerListKind(headOf(rows)) === 'table') {
      moved.takenFor = 'a list of markers';
      moved.advice.push('No calls of the folder need it.');
      this.#lists.push(name);
      return;
    }
    const told = tableTypeOf(header)?.type;
    const isPassport = header.some((cell) => /^ACCENUMB$/i.test(cell));
    const type: MadeType = told ?? (isPassport ? 'GERMPLASM' : 'PHENOTYPE');
    const isSure = told !== undefined || isPassport || hasRole(header);
    moved.takenFor = isPassport
      ? 'passport data (MCPD)'
      : `a table: ${TYPE_NAMES[type].toLowerCase()}${isSure ? '' : ', because nothing says otherwise'}`;
    const made = { ...(await this.#check(join(this.#folder, name), type)), isSure };
    moved.left.push(
      ...sheets
        .slice(1)
        .flatMap(({ name: other, rows: { length } }) =>
          length === 0 ? [] : [{ what: `the sheet ${other}`, why: 'the first sheet is read', count: length }],
        ),
    );
    if (made.isUsable || isSure) moved.made.push(made);
    if (made.isUsable) {
      if (!isSure) moved.advice.push('Look at its traits before you upload it as phenotypes.');
      return;
    }
    moved.advice.push('Upload it, and say what its columns hold (Describe the columns).');
    if (isSure) return;
    const problem = made.problems.find(({ severity }) => severity === 'error');
    moved.takenFor = 'a table that is not known';
    moved.left.push({ what: 'the table', why: problem?.message ?? 'it is not known', count: rows.length - 1 });
  }

  async #make(name: string, type: MadeType, { header, rows }: Table, moved: MovedFile): Promise<void> {
    const path = this.#place(`${stemOf(name)}.${ENDINGS[type]}`);
    await writeFile(path, csvLines(header, rows));
    moved.made.push(await this.#check(path, type));
  }

  async #check(path: string, type: MadeType): Promise<Made> {
    const scratch = join(this.#out, '.check');
    try {
      return { path, type, isSure: true, ...(await checkMade(path, type, scratch, this.#context)) };
    } finally {
      for (const ending of [
        'bed',
        'bim',
        'fam',
        'dosage',
        'samples.csv',
        'contigs.csv',
        'snpids.csv',
        'linkmaptemp.csv',
      ])
        await rm(`${scratch}.${ending}`, { force: true });
    }
  }

  /** A path that no other file of this run has. */
  #place(name: string): string {
    const ending = extname(name);
    let place = name;
    for (let k = 2; this.#taken.has(place); k++) place = `${name.slice(0, -ending.length)}-${k}${ending}`;
    this.#taken.add(place);
    return join(this.#out, place);
  }
}

const FURTHER = 'further attributes of accessions';
const OLD_EXCEL = 'Save it as .xlsx or CSV, and move that in.';
/** Fewer columns of small whole numbers could be scores of a trial. */
const FEWEST_MARKERS = 20;

const isSmallMatrix = (format: string): boolean => format === 'numeric-matrix' || format === 'letter-matrix';

/** A matrix that is narrow and does not say where its markers lie. */
function isTableOfScores([sheet]: readonly Sheet[]): boolean {
  const header = sheet?.rows[0] ?? [];
  return header.length <= FEWEST_MARKERS && !header.some((cell) => /^#?chr(?:om(?:osome)?)?$/i.test(cell));
}

const stemOf = (name: string): string =>
  name
    .replace(/\.(?:gz|bgz)$/i, '')
    .replace(/\.[A-Za-z0-9]+$/, '')
    .replaceAll(/[/\\]/g, '_');

/** Columns of a field, and spellings of the names of lines that only tables of phenotypes have. */
const OF_PHENOTYPES = new Set([
  ...(['environment', 'location', 'year', 'replicate', 'block', 'plot', 'trait'] as const).flatMap((role) =>
    headersOf('phenotype', role),
  ),
  ...headerKeys('taxa taxon <Trait>'),
]);

const hasRole = (header: readonly string[]): boolean => header.some((name) => OF_PHENOTYPES.has(headerKey(name)));

const headOf = (rows: readonly string[][]): string =>
  rows
    .slice(0, 3)
    .map((cells) => cells.join('\t'))
    .join('\n');

/** A name and as many numbers as there are rows, or a header of the same names. */
function isSquare(rows: readonly string[][]): boolean {
  const [first = [], second = []] = rows;
  if (second.length < 4) return false;
  const names = rows.map(([name]) => name);
  const isHeaded = first.length === rows.length && first.slice(1).every((name, k) => name === names[k + 1]);
  return (
    isHeaded || (first.length === rows.length + 1 && first.slice(1).every((cell) => Number.isFinite(Number(cell))))
  );
}

/** Sheets that are not read, and what they are. */
function otherSheets(sheets: readonly Sheet[], known: readonly KnownSheet[]): LeftBehind[] {
  const read = new Set(known.map(({ name }) => name));
  const isGerminate = isTemplate(sheets.flatMap(({ name }) => name ?? []));
  return sheets.flatMap(({ name, rows }) => {
    if (name === null || read.has(name) || rows.length < 2) return [];
    if (isExample(name)) return [];
    const why = (isGerminate ? GERMINATE_SHEETS[name] : undefined) ?? 'no table that is known';
    return [{ what: `the sheet ${name}`, why, count: rows.length - 1 }];
  });
}

/** Traits of Germinate with the units that its sheet of phenotypes gives. */
function withUnits(plots: ReturnType<typeof plotsOf>, sheets: readonly Sheet[]): Table {
  const [header = [], ...rows] = sheets.find(({ name }) => name === 'PHENOTYPES')?.rows ?? [];
  const at = (word: string): number => header.findIndex((name) => name.toLowerCase() === word);
  const [nameAt, unitAt, typeAt] = [at('name'), at('unit abbreviation'), at('data type')];
  if (nameAt < 0) return plots;
  const of = new Map(rows.map((cells) => [cells[nameAt] ?? '', cells]));
  return {
    rows: plots.rows,
    header: plots.header.map((name) => {
      const trait = plots.others.includes(name) ? of.get(name) : undefined;
      const unit = trait?.[unitAt] ?? '';
      const isWords = /^categorical$/i.test(trait?.[typeAt] ?? '');
      // A date has no unit, whatever the template says.
      const hasUnit = unit !== '' && /^numeric$/i.test(trait?.[typeAt] ?? '');
      return `${name}${hasUnit ? ` (${unit})` : ''}${isWords ? '_#CAT' : ''}`;
    }),
  };
}

/** Numbers stand as they are written: a sign is no formula. */
function* csvLines(header: readonly string[], rows: Iterable<readonly string[]>): Generator<string> {
  yield csvRow(header);
  for (const row of rows)
    yield `${row.map((cell) => (cell !== '' && Number.isFinite(Number(cell)) ? cell : csvCell(cell))).join(',')}\n`;
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(path)) yield chunk as Uint8Array;
}
