import type { ByteSource } from '../../byte-source.ts';
import { MAX_POSITION_BP } from '../../genotype/panel/marker-position.ts';
import { nameFault } from '../../names/normalize-name.ts';
import { FileFormatError, ProblemCollector, type ProblemReport } from '../../problem.ts';
import { groupedNumber } from '../../text/grouped-number.ts';
import { openText, type TextLimits } from '../../text/text-file.ts';
import type { GeneTable } from './gene-table.ts';

export interface GenesReading {
  /** Null when the report has errors. */
  genes: GeneTable | null;
  report: ProblemReport;
}

const COLUMNS = ['seqid', 'source', 'type', 'start', 'end', 'score', 'strand', 'phase', 'attributes'];
/** Feature types that are genes: those of the Sequence Ontology that annotations write. */
const GENE = /^(?:gene|pseudogene|[a-z_]*_gene|transposable_element_gene)$/i;
/** An annotation of wheat has 8 million lines. */
const LIMITS: TextLimits = { maxCompressedBytes: 500e6, maxInflatedBytes: 3e9, maxLineBytes: 1_000_000 };
const MOST_GENES = 1_000_000;
const LONGEST_TEXT = 300;

interface Gene {
  chromosome: number;
  start: number;
  end: number;
  strand: number;
  id: string;
  name: string;
  description: string;
}

/**
 * Reads the genes of an annotation in GFF3 (Sequence Ontology, version 1.26), plain or gzipped: rows of the types gene,
 * pseudogene and `…_gene`, with ID, Name, and Note or description of their attributes. Other features are passed over,
 * and reading ends at `##FASTA`. Every bad row is reported with its line. Bad content never throws. Rejects when the
 * source cannot be read or `signal` aborts.
 */
export async function readGenes(source: ByteSource, options: { signal?: AbortSignal } = {}): Promise<GenesReading> {
  const problems = new ProblemCollector();
  try {
    const text = await openText(source, LIMITS, options.signal);
    for (const warning of text.warnings) problems.add(warning);
    const reader = new GeneReader(problems);
    for await (const { number, text: line } of text.lines()) {
      if (/^##FASTA/i.test(line) || line.startsWith('>')) break;
      if ((number & 0xffff) === 0) options.signal?.throwIfAborted();
      reader.add(line, number);
    }
    const genes = reader.end();
    return { genes: problems.errorCount > 0 ? null : genes, report: problems.report() };
  } catch (error) {
    if (!(error instanceof FileFormatError)) throw error;
    problems.add(error.problem);
  }
  return { genes: null, report: problems.report() };
}

class GeneReader {
  readonly #problems: ProblemCollector;
  readonly #chromosomes: string[] = [];
  readonly #indices = new Map<string, number>();
  readonly #genes: Gene[] = [];
  readonly #lineOfId = new Map<string, number>();
  #rows = 0;

  constructor(problems: ProblemCollector) {
    this.#problems = problems;
  }

  add(line: string, number: number): void {
    if (line === '' || line.startsWith('#')) {
      if (/^##gff-version\s+[12]\b/i.test(line)) throw notGff3(line, number);
      return;
    }
    const cells = line.split('\t');
    if (cells.length !== COLUMNS.length) {
      if (line.trim() === '') return;
      if (this.#rows === 0 && cells.length < 3) throw notGff3(line, number);
      this.#problems.error('E-GFF-COLUMNS', {
        line: number,
        value: line,
        message: `The row has ${cells.length} ${cells.length === 1 ? 'field' : 'fields'}; GFF3 has nine, separated by tabs.`,
        suggestion: 'Export the annotation again; do not edit it in a spreadsheet.',
      });
      return;
    }
    this.#rows++;
    // GTF writes `gene_id "x";` in its ninth column.
    if (this.#rows === 1 && /^\s*\w+ "/.test(cells[8])) throw notGff3(line, number);
    if (GENE.test(cells[2])) this.#addGene(cells, number);
  }

  #addGene([seqid, , , from, to, , sign, , attributes]: string[], line: number): void {
    const start = positionOf(from);
    const end = positionOf(to);
    if (!(start >= 1 && end >= start)) {
      this.#problems.error('E-GFF-POSITION', {
        line,
        column: 'start, end',
        value: `${from}, ${to}`,
        message: `A gene from ${from} to ${to}: start and end are whole numbers from 1 to ${groupedNumber(MAX_POSITION_BP)}, and the end is not before the start.`,
        suggestion: 'Correct the positions.',
      });
      return;
    }
    const chromosome = decoded(seqid);
    if (nameFault(chromosome) !== null || !STRANDS.has(sign)) {
      const isStrand = nameFault(chromosome) === null;
      this.#problems.error('E-GFF-COLUMNS', {
        line,
        column: isStrand ? 'strand' : 'seqid',
        value: isStrand ? sign : seqid,
        message: isStrand
          ? `The strand "${sign}" of the gene is none of +, -, . and ?.`
          : `${nameFault(chromosome)}: the gene is on no chromosome.`,
        suggestion: 'Correct the column, or export the annotation again.',
      });
      return;
    }
    const told = attributesOf(attributes);
    if (told.repeated !== null) {
      this.#problems.warning('W-GFF-ATTRIBUTE', {
        line,
        column: 'attributes',
        value: told.repeated,
        message: `The attribute "${told.repeated}" is given more than once; the first counts.`,
        suggestion: 'Write several values of one attribute with commas between them.',
      });
    }
    const { values } = told;
    const name = values.get('name') ?? values.get('gene_name') ?? values.get('symbol');
    const id = values.get('id') ?? values.get('gene_id') ?? name;
    if (id === undefined || id === '') {
      this.#problems.warning('W-GFF-NO-ID', {
        line,
        column: 'attributes',
        value: attributes,
        message: 'The gene has neither an ID nor a name; it is left out.',
        suggestion: 'Give it an attribute ID.',
      });
      return;
    }
    const earlier = this.#lineOfId.get(id);
    if (earlier !== undefined) {
      this.#problems.warning('W-GFF-DUP-ID', {
        line,
        column: 'attributes',
        value: id,
        message: `The gene "${id}" is on line ${earlier} already; both are kept.`,
        suggestion: 'Check how the annotation was put together.',
      });
    } else this.#lineOfId.set(id, line);
    if (this.#genes.length >= MOST_GENES) {
      throw new FileFormatError('E-TOO-LARGE', {
        line,
        message: `The annotation has more than ${groupedNumber(MOST_GENES)} genes.`,
        suggestion: 'Split it by chromosomes.',
      });
    }
    this.#genes.push({
      ...{ chromosome: this.#chromosomeOf(chromosome), start, end, id, name: name || id },
      strand: STRANDS.get(sign) ?? 0,
      description: values.get('description') ?? values.get('note') ?? values.get('product') ?? '',
    });
  }

  #chromosomeOf(name: string): number {
    const known = this.#indices.get(name);
    if (known !== undefined) return known;
    this.#indices.set(name, this.#chromosomes.length);
    return this.#chromosomes.push(name) - 1;
  }

  end(): GeneTable {
    if (this.#genes.length === 0 && this.#problems.errorCount === 0) {
      this.#problems.error(this.#rows === 0 ? 'E-EMPTY' : 'E-GFF-NO-GENES', {
        message:
          this.#rows === 0
            ? 'The file has no features.'
            : `None of the ${groupedNumber(this.#rows)} features is a gene.`,
        suggestion: 'Upload an annotation with features of the type "gene".',
      });
    }
    const sorted = this.#genes.sort((a, b) => a.chromosome - b.chromosome || a.start - b.start);
    return {
      chromosomes: this.#chromosomes,
      chromosome: Int32Array.from(sorted, (gene) => gene.chromosome),
      start: Float64Array.from(sorted, (gene) => gene.start),
      end: Float64Array.from(sorted, (gene) => gene.end),
      strand: Int32Array.from(sorted, (gene) => gene.strand),
      ids: sorted.map((gene) => gene.id),
      names: sorted.map((gene) => gene.name),
      descriptions: sorted.map((gene) => gene.description),
    };
  }
}

/** The strand of a gene as a number; 0 when it has none or it is not known. */
const STRANDS: ReadonlyMap<string, number> = new Map([
  ['+', 1],
  ['-', -1],
  ['.', 0],
  ['?', 0],
]);

/** A position in base pairs; NaN for text that is none, or beyond any chromosome. */
function positionOf(text: string): number {
  const position = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return position <= MAX_POSITION_BP ? position : Number.NaN;
}

/** `ID=g1;Name=tb1;Note=a%2C b` by the names in lower case, and the first name that is given two values. */
function attributesOf(text: string): { values: Map<string, string>; repeated: string | null } {
  const values = new Map<string, string>();
  let repeated: string | null = null;
  for (const part of text.split(';')) {
    const at = part.indexOf('=');
    if (at <= 0) continue;
    const key = part.slice(0, at).trim().toLowerCase();
    const value = decoded(part.slice(at + 1).trim()).slice(0, LONGEST_TEXT);
    const earlier = values.get(key);
    if (earlier === undefined) values.set(key, value);
    else if (earlier !== value) repeated ??= part.slice(0, at).trim();
  }
  return { values, repeated };
}

/** Text with its %-escapes; one that is broken stays as it is. */
function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function notGff3(value: string, line: number): FileFormatError {
  return new FileFormatError('E-TYPE', {
    line,
    value,
    message: 'This is not GFF3: version 3 has nine columns separated by tabs, the last with attributes like ID=gene1.',
    suggestion: 'Choose an annotation in GFF3; GTF and older versions can be converted, for example with gffread.',
  });
}
