import type { PedigreeIndividual } from '@heterosis/contracts/data/pedigree';
import { toCsv } from '../../../../lib/format/csv.ts';
import type { LineKind } from './kin.ts';
import { BOX, STEP_Y } from './layout.ts';
import { FONT, type Marks, type Picture, paint, shortName, textOn } from './paint.ts';

/** The individuals shown, with their parents by name: a file that can be uploaded again. */
export function pedigreeCsv(all: readonly PedigreeIndividual[], shown: readonly number[]): string {
  const nameOf = (i: number | null): string => (i === null ? '' : (all[i]?.name ?? ''));
  return toCsv(
    ['name', 'female', 'male', 'cross_type', 'selfing_generations', 'collection', 'generation', 'inbreeding'],
    shown.flatMap((i) => {
      const one = all[i];
      if (one === undefined) return [];
      const { name, maternal, paternal, cross_type, selfing_generations, collection, generation, inbreeding } = one;
      return [
        [
          ...[name, nameOf(maternal), nameOf(paternal), cross_type ?? '', selfing_generations ?? ''],
          ...[collection ?? '', generation, inbreeding ?? ''],
        ],
      ];
    }),
  );
}

/** One row a parent, as Helium (James Hutton Institute) reads it. */
export function heliumText(all: readonly PedigreeIndividual[], shown: readonly number[]): string {
  const lines = ['# heliumInput=PEDIGREE', 'LineName\tParent\tParentType'];
  const safe = (text: string): string => text.replaceAll(/[\t\r\n]/g, ' ');
  for (const i of shown) {
    const one = all[i];
    if (one === undefined) continue;
    const parents = [
      ...(one.maternal === null ? [] : [[all[one.maternal]?.name ?? '', 'F']]),
      ...(one.paternal === null ? [] : [[all[one.paternal]?.name ?? '', 'M']]),
    ];
    if (parents.length === 0) lines.push(`${safe(one.name)}\t\t`);
    for (const [parent = '', kind = ''] of parents) lines.push(`${safe(one.name)}\t${safe(parent)}\t${kind}`);
  }
  return `${lines.join('\n')}\n`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The graph as SVG at scale 1. */
export function pedigreeSvg({ kin, layout, lines, unknown }: Picture, { palette, fillOf }: Marks): string {
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${layout.width}" height="${layout.height}" viewBox="0 0 ${layout.width} ${layout.height}">`,
    `<rect width="100%" height="100%" fill="${palette.ground}"/>`,
  ];
  for (const kind of Object.keys(lines) as LineKind[]) {
    const shifts = kind === 'selfed' ? [-2.5, 2.5] : [0];
    const path: string[] = [];
    for (let at = 0; at < lines[kind].length; at += 4) {
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = lines[kind].subarray(at, at + 4);
      for (const s of shifts) {
        path.push(`M${x1 + s} ${y1}C${x1 + s} ${y1 + STEP_Y / 3} ${x2 + s} ${y2 - STEP_Y / 3} ${x2 + s} ${y2}`);
      }
    }
    if (path.length === 0) continue;
    const dash = kind === 'clone' ? ' stroke-dasharray="4 4"' : '';
    parts.push(
      `<path d="${path.join('')}" fill="none" stroke="${palette.lines[kind]}" stroke-width="${kind === 'recurrent' ? 2.5 : 1.2}"${dash}/>`,
    );
  }
  parts.push(`<g font-family="${escaped(FONT)}" font-size="12" text-anchor="middle">`);
  for (const [place, i] of layout.order.entries()) {
    const [x, y] = [layout.x[place] ?? 0, layout.y[place] ?? 0];
    const fill = fillOf(i);
    const name = kin.individuals[i]?.name ?? '';
    parts.push(
      `<g><title>${escaped(name)}</title><rect x="${x - BOX.width / 2}" y="${y - BOX.height / 2}" width="${BOX.width}" height="${BOX.height}" rx="5" fill="${fill}"/>`,
      `<text x="${x}" y="${y + 4}" fill="${textOn(fill)}">${escaped(shortName(name))}</text></g>`,
    );
    if (unknown[place] !== 0) {
      parts.push(
        `<circle cx="${x + (unknown[place] ?? 0) * 20}" cy="${y - BOX.height / 2 - 13}" r="4" fill="none" stroke="${palette.muted}"/>`,
      );
    }
  }
  parts.push('</g></svg>');
  return parts.join('\n');
}

const LARGEST_PNG_SCALE = 1.5;
/** Side of the largest picture that a PNG holds: browsers refuse more. */
const LARGEST_PNG = 8000;

/** The whole graph as a picture; null where the browser cannot make it. */
export async function pedigreePng(picture: Picture, marks: Marks): Promise<Blob | null> {
  const { width, height } = picture.layout;
  const scale = Math.min(LARGEST_PNG_SCALE, LARGEST_PNG / Math.max(1, width), LARGEST_PNG / Math.max(1, height));
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
  const context = canvas.getContext('2d');
  if (context === null) return null;
  context.fillStyle = marks.palette.ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  paint(context, picture, marks, { scale, x: 0, y: 0 }, canvas.width, canvas.height);
  return await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}
