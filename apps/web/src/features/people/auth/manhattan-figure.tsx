import { useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount, formatMb, formatPValue } from '../../../lib/format/format.ts';
import { drawManhattan, type PlotColors, toPixels } from './draw-manhattan.ts';
import gwasUrl from './maize-known-loci.json?url';
import { layOutManhattan, type ManhattanPoints, nearestPoint, type PackedGwas } from './manhattan-data.ts';
import classes from './manhattan-figure.module.css';

const COLORS: Record<'light' | 'dark', PlotColors> = {
  light: { text: '#5f5f5c', line: '#dededc', accent: '#a04000', tones: ['#2b7a4b', '#7b8f9e'] },
  dark: { text: '#a3a3a0', line: '#3d3d3b', accent: '#e5b454', tones: ['#5cc48a', '#8fa7b8'] },
};
/** How far from a point the mouse, or a finger, may be. */
const REACH_PX = 24;

/** A study whose answer is known, drawn here and now. The table beneath has the same for those who do not see it. */
export function ManhattanFigure() {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ['demo-gwas'],
    queryFn: async ({ signal }) => {
      const response = await fetch(gwasUrl, { signal });
      const gwas = (await response.json()) as PackedGwas;
      return { gwas, points: layOutManhattan(gwas) };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const gwas = data?.gwas;
  const loci = data?.points.loci ?? [];
  const counts = {
    lines: formatCount(gwas?.lines ?? 0),
    markers: formatCount(gwas?.markers ?? 0),
    loci: loci.length,
    found: loci.filter(({ isFound }) => isFound).length,
  };
  return (
    <figure className={classes.figure}>
      <Plot points={data?.points} label={t('home.figureLabel', counts)} />
      <figcaption className={classes.caption}>{t('home.caption', counts)}</figcaption>
      <details className={classes.details}>
        <summary>{t('home.topMarkers')}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('word.marker')}</th>
              <th scope="col">{t('word.chromosome')}</th>
              <th scope="col">{t('word.positionMb')}</th>
              <th scope="col">p</th>
            </tr>
          </thead>
          <tbody>
            {gwas?.top.map((one) => (
              <tr key={one.id}>
                <td>{one.id}</td>
                <td>{one.chr}</td>
                <td>{formatMb(one.pos)}</td>
                <td>{formatPValue(one.p)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <a className="hx-link" href={gwasUrl} download="maize-known-loci.json">
          {t('home.download')}
        </a>
      </details>
    </figure>
  );
}

interface Pointed {
  index: number;
  x: number;
  y: number;
}

function Plot({ points, label }: { points: ManhattanPoints | undefined; label: string }) {
  const { t } = useTranslation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const scheme = useComputedColorScheme('light');
  const [pointed, setPointed] = useState<Pointed>();
  const index = pointed?.index;

  useEffect(() => {
    const element = canvas.current;
    if (!element || !points) return undefined;
    const draw = (): void => {
      const { width, height } = element.getBoundingClientRect();
      const scale = window.devicePixelRatio || 1;
      element.width = Math.round(width * scale);
      element.height = Math.round(height * scale);
      const context = element.getContext('2d');
      if (!context) return;
      context.scale(scale, scale);
      const labels = { x: t('home.axisChromosome'), y: '−log₁₀ p', threshold: t('home.threshold') };
      drawManhattan(context, { width, height }, points, COLORS[scheme], labels, index);
    };
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    return () => observer.disconnect();
  }, [points, scheme, t, index]);

  const point = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): void => {
    if (!points) return;
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    const { toX, toY } = toPixels({ width, height }, points);
    const toPixel = (one: number) => ({ x: toX(points.x[one] ?? 0), y: toY(points.negLog10P[one] ?? 0) });
    const nearest = nearestPoint(points, { x: clientX - left, y: clientY - top }, toPixel, REACH_PX);
    setPointed(nearest === undefined ? undefined : { index: nearest, ...toPixel(nearest) });
  };
  return (
    <div
      className={classes.plot}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => setPointed(undefined)}
    >
      <canvas ref={canvas} className={classes.canvas} role="img" aria-label={label} />
      {points && pointed && <Note points={points} pointed={pointed} />}
    </div>
  );
}

/** What the point under the mouse is; to its left in the right half of the plot. */
function Note({ points, pointed: { index, x, y } }: { points: ManhattanPoints; pointed: Pointed }) {
  const { t } = useTranslation();
  const chr = points.chromosomes[points.chromosome[index] ?? 0]?.name;
  const pos = points.position[index] ?? 0;
  const near = points.loci.find((locus) => locus.chr === chr && Math.abs(locus.pos - pos) <= 1_000_000);
  return (
    <div className={classes.note} data-left={(points.x[index] ?? 0) > 0.5 || undefined} style={{ left: x, top: y }}>
      <strong>
        {chr}: {formatMb(pos)} Mb
      </strong>
      <span>p = {formatPValue(10 ** -(points.negLog10P[index] ?? 0))}</span>
      {near && <span>{t('home.nearLocus', { share: Math.round(near.share * 100) })}</span>}
    </div>
  );
}
