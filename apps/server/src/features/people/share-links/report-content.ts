import type { SharedThing } from '@heterosis/contracts/people/share-links';
import type { ReportPart } from '@heterosis/contracts/work/reports';
import { readImage } from '../../../platform/images/read-image.ts';
import { type Report, writtenRows } from '../../work/runs/report/index.ts';

/** What of a report is sent to whoever holds a link: named one by one, so that nothing new is sent unseen. */
export const contentOf = ({
  organization,
  logo,
  kind,
  name,
  description,
  sentences,
  inputs,
  parts,
  methods,
  provenance,
  date,
}: Report): Omit<SharedThing, 'expires_at'> => ({
  ...{
    organization,
    logo: logo && dataUrlOf(logo),
    kind,
    name,
    description,
    sentences,
    inputs,
    methods,
    provenance,
    date,
  },
  parts: parts.map(partOf),
});

/** The page of a link has no way to the logo of an organization, whose address has an id in it. */
const dataUrlOf = (bytes: Uint8Array): string | null => {
  const image = readImage(Buffer.from(bytes));
  return image === undefined ? null : `data:${image.type};base64,${Buffer.from(bytes).toString('base64')}`;
};

function partOf(part: Report['parts'][number]): ReportPart {
  if (part.what !== 'figure') {
    const { links: _, ...shown } = part;
    return shown.what === 'table' ? { ...shown, rows: writtenRows(shown) } : shown;
  }
  const { height: _, figure, ...about } = part;
  return { ...about, figure: { chart: figure.chart, given: sent(figure.given) as Record<string, unknown> } };
}

/** Digits that are seen, of positions on chromosomes too. */
const DIGITS = 7;

/** Numbers as JSON has them, without the digits that single precision makes up. */
function sent(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS));
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number>, sent);
  if (Array.isArray(value)) return value.map(sent);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sent(inner)]));
  return value;
}
