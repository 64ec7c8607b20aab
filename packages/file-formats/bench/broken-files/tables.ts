import { gzipSync } from 'node:zlib';
import { type BrokenFile, brokenFiles, lines, repeated, tabbed, utf16 } from './broken-file.ts';

const PHENOTYPE = lines('individual,Yield,Height', 'A,1.5,10', 'B,2.5,20', 'C,3.5,30');
/** The good file with the yield of B, or its name, written otherwise. */
const value = (text: string) => PHENOTYPE.replace('2.5', text);
const name = (text: string) => PHENOTYPE.replace('B', text);

const PHENOTYPES = brokenFiles('phenotype', {
  good: PHENOTYPE,
  'row too short': `${PHENOTYPE}D,1\n`,
  'row too long': `${PHENOTYPE}D,1,2,3\n`,
  'quote open': `${PHENOTYPE}"D,1,2\n`,
  'header twice': PHENOTYPE.replace('Height', 'Yield'),
  'header empty': PHENOTYPE.replace('Yield', ''),
  'header only': 'individual,Yield\n',
  'number with unit': value('2.5 t/ha'),
  thousands: value('"1,234.5"'),
  'decimal comma': PHENOTYPE.replaceAll(',', ';').replaceAll('.', ','),
  'separators mixed': PHENOTYPE.replace('individual,Yield,Height', 'individual;Yield;Height').replace('A,1', 'A;1'),
  infinity: value('Infinity'),
  '1e400': value('1e400'),
  hexadecimal: value('0x10'),
  'true among numbers': value('TRUE'),
  date: value('2024-01-05'),
  percent: value('50%'),
  formula: name("=cmd|'/c calc'!A1"),
  NUL: name('B\0'),
  'UTF-16 without mark': Buffer.from(PHENOTYPE, 'utf16le'),
  'UTF-8 broken': Buffer.concat([Buffer.from(PHENOTYPE), Buffer.of(0xff, 0xfe), Buffer.from(',1,2\n')]),
  'blank lines first': `\n\n\n${PHENOTYPE}`,
  'no individuals': PHENOTYPE.replace('individual', 'foo'),
  'individual twice': `${PHENOTYPE}A,9,9\n`,
  'individual in other case': `${PHENOTYPE}a,9,9\n`,
  'all missing': lines('individual,Yield', 'A,NA', 'B,', 'C,.'),
  '1,500 traits': `individual${repeated(1500, (i) => `,t${i}`)}\nA${',1'.repeat(1500)}\n`,
  'name of 300 characters': name('B'.repeat(300)),
  'cell of 5 MB': () => name(`"${'x'.repeat(5_000_000)}"`),
  'names of JavaScript': lines('individual,__proto__,constructor', 'toString,1,2', '__proto__,3,4', 'C,5,6'),
  'code for missing': value('-999'),
  'just commas': ',,,\n,,,\n',
  'one byte': 'x',
  'any bytes': Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919 + ((i * i) % 251)) % 256),
  'web page': '<html><body><table><tr><td>a</td></tr></table></body></html>',
  JSON: '{"a":[1,2]}',
  'gzip of a line of 400 MB': () =>
    gzipSync(Buffer.concat([Buffer.from('individual,Y\n'), Buffer.alloc(400_000_000, '0')]), { level: 1 }),
});

const feature = (
  chromosome: string,
  from: string | number,
  to: string | number,
  attributes: string,
  strand = '+',
  type = 'gene',
) => tabbed([chromosome, 'test', type, from, to, '.', strand, '.', attributes]);
const SECOND_GENE = feature('2', 30, 40, 'ID=g2', '-');
const genes = (...gene: Parameters<typeof feature>) => `##gff-version 3\n${feature(...gene)}${SECOND_GENE}`;
const GFF = genes('1', 10, 20, 'ID=g1;Name=G1');

const GENES = brokenFiles('genes', {
  good: GFF,
  'no version': feature('1', 10, 20, 'ID=g1') + SECOND_GENE,
  'version 2': GFF.replace('version 3', 'version 2'),
  GTF: genes('1', 10, 20, 'gene_id "g1";'),
  'eight columns': GFF.replaceAll('\t.\tID', '\tID'),
  'end before start': genes('1', 20, 10, 'ID=g1'),
  'start negative': genes('1', -10, 20, 'ID=g1'),
  'positions of text': genes('1', 'a', 'b', 'ID=g1'),
  'end overflows': genes('1', 10, '99999999999999999999', 'ID=g1'),
  'end beyond 31 bits': genes('1', 10, 2 ** 31, 'ID=g1'),
  'start in hexadecimal': genes('1', '0x10', 20, 'ID=g1'),
  'no ID': genes('1', 10, 20, 'Name=G1'),
  'ID twice': genes('1', 10, 20, 'ID=g2'),
  'no attributes': genes('1', 10, 20, '.'),
  'attribute without value': genes('1', 10, 20, 'ID'),
  'attribute twice': genes('1', 10, 20, 'ID=g1;ID=g9'),
  '100,000 attributes': () => genes('1', 10, 20, `ID=g1${repeated(100_000, (i) => `;a${i}=1`)}`),
  'attribute of 3 MB': () => genes('1', 10, 20, `ID=${'x'.repeat(3_000_000)}`),
  'broken escape': genes('1', 10, 20, 'ID=g1;Name=%E0%A4%A'),
  'escape of markup': genes('1', 10, 20, 'ID=g1;Name=%3Cscript%3E'),
  'parent of itself': genes('1', 10, 20, 'ID=g1;Parent=g1'),
  'odd strand': genes('1', 10, 20, 'ID=g1', 'q'),
  'chromosome empty': genes('', 10, 20, 'ID=g1'),
  'no genes': genes('1', 10, 20, 'ID=g1', '+', 'exon').replace('\tgene\t', '\texon\t'),
  'sequence behind': `${GFF}##FASTA\n>1\nACGT\n`,
  'sequence behind without mark': `${GFF}>1\nACGT\n`,
  'odd directive': GFF.replace('\n', '\n##sequence-region 1 a b\n'),
  'blanks for tabs': GFF.replaceAll('\t', ' '),
  CRLF: GFF.replaceAll('\n', '\r\n'),
  NUL: GFF.replace('g1', 'g\0'),
  'UTF-16': utf16(GFF),
  'gzip cut': gzipSync(GFF).subarray(0, -9),
  empty: '',
  'comments only': '##gff-version 3\n#x\n',
});

const MAP_HEADER = 'chr,physPos,SNPid,linkMapPos';
const map = (second: string, header = MAP_HEADER) => lines(header, '1,100,m1,0', second, '2,50,m3,0');
const MAP = map('1,200,m2,1.5');
const position = (text: string) => map(`1,200,m2,${text}`);

const MAPS = brokenFiles('map', {
  good: MAP,
  'position negative': position('-1.5'),
  'position of text': position('abc'),
  'position infinite': position('inf'),
  'position 1e300': position('1e300'),
  'position missing': position(''),
  'position of a bin': position('1.5-2.0'),
  'base pairs negative': map('1,-1,m2,1.5'),
  'base pairs as 2e2': map('1,2e2,m2,1.5'),
  'base pairs broken': map('1,200.5,m2,1.5'),
  'base pairs beyond 31 bits': map('1,2147483648,m2,1.5'),
  'order of both differs': map('1,20,m2,1.5'),
  'marker twice': map('1,200,m1,1.5'),
  'no chromosome column': map('1,200,m2,1.5', 'foo,physPos,SNPid,linkMapPos'),
  'no marker column': map('1,200,m2,1.5', 'chr,physPos,foo,linkMapPos'),
  'two columns of positions': map('1,200,m2,1.5', 'chr,position,SNPid,linkMapPos'),
  'in Morgan': map('1,200,m2,1.5', 'chr,physPos,SNPid,position_M'),
  'odd unit': map('1,200,m2,1.5', 'chr,physPos,SNPid,linkMapPos (km)'),
  'chromosome of 400 characters': map(`${'c'.repeat(400)},200,m2,1.5`),
  'chromosome empty': map(',200,m2,1.5'),
  'no header': MAP.slice(MAP.indexOf('\n') + 1),
  'PLINK map': lines('1 m1 0 100', '1 m2 1.5 200'),
  'PLINK map of five columns': '1 m1 0 100 x\n',
  'row too short': `${MAP}2,60\n`,
  'quote open': map('1,200,"m2,1.5'),
  NUL: map('1,200,m\0,1.5'),
  'UTF-16': utf16(MAP),
  'one marker': lines(MAP_HEADER, '1,100,m1,0'),
  '50,000 markers at one place': () => `${MAP_HEADER}\n${repeated(50_000, (i) => `1,${i},q${i},5\n`)}`,
  '30,000 chromosomes': () => `${MAP_HEADER}\n${repeated(30_000, (i) => `c${i},1,q${i},0\n`)}`,
  'decimal comma': MAP.replaceAll(',', ';').replace('1.5', '1,5'),
  'blank rows': MAP.replaceAll('\n', '\n\n'),
});

const pedigree = (...rows: string[]) => lines('name,female,male', 'A,,', 'B,,', 'C,A,B', ...rows);
const purdy = (text: string) => lines('name,pedigree', `X,"${text}"`);

const PEDIGREES = brokenFiles('pedigree', {
  good: pedigree('D,C,A'),
  'parent of itself': pedigree('D,D,A'),
  'circle of two': lines('name,female,male', 'A,C,', 'C,A,'),
  'circle of 20,000': () => `name,female,male\n${repeated(20_000, (i) => `n${i},n${(i + 1) % 20_000},\n`)}`,
  'chain of 50,000': () =>
    `name,female,male\nn0,,\n${repeated(49_999, (i) => `n${i + 1},n${i},n${Math.max(0, i - 1)}\n`)}`,
  'row twice': pedigree('C,A,B'),
  'name with other parents': pedigree('C,B,A'),
  'parent without row': pedigree('E,Z,Q'),
  'name in other case': pedigree('c,A,A'),
  'female as male': pedigree('E,B,A'),
  'name empty': pedigree(',A,B'),
  'no names': pedigree().replace('name', 'foo'),
  'no parents': lines('name', 'A', 'B'),
  'parents 0': pedigree('D,0,0'),
  'parents ?': pedigree('D,?,?'),
  'one parent': pedigree('E,A,'),
  'parents the same': pedigree('E,A,A'),
  'brackets 3,000 deep': purdy(`${'('.repeat(3000)}A/B${')'.repeat(3000)}`),
  'crosses of one order': purdy('A/B/C'),
  'cross of nothing': purdy('/'),
  '50,000 parents': () => purdy(`P${repeated(50_000, (i) => `/P${i}`)}`),
  'doses without end': purdy('A*999999999/B'),
  'two doses': purdy('A*2*3/B'),
  'star for a cross': purdy('A*B//C'),
  'row too short': pedigree('E,A'),
  'name of 300 characters': pedigree(`${'E'.repeat(300)},A,B`),
  NUL: pedigree('E\0,A,B'),
  'UTF-16': utf16(pedigree()),
  'generation negative': lines('name,female,male,generation', 'A,,,-5', 'B,A,A,F4'),
  'generation huge': lines('name,female,male,generation', 'A,,,1e9', 'B,A,A,F99999999'),
  'generation in words': lines('name,female,male,generation', 'A,,,', 'B,A,A,advanced'),
  'cross of another word': lines('name,female,male,cross_type', 'A,,,', 'B,A,A,zzz'),
  'formula as name': pedigree('=1+1,A,B'),
  'names of JavaScript': lines('name,female,male', '__proto__,,', 'constructor,,', 'C,__proto__,constructor'),
  '5,000 columns': `name,female,male${repeated(5000, (i) => `,x${i}`)}\n`,
});

export const TABLES: BrokenFile[] = [...PHENOTYPES, ...GENES, ...MAPS, ...PEDIGREES];
