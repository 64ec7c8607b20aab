import { useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount, formatMb, formatPValue } from '../../../lib/format/format.ts';
import { drawManhattan } from './draw-manhattan.ts';
import gwasUrl from './maize-ear-height.json?url';
import { layOutManhattan, type PackedGwas } from './manhattan-data.ts';
import classes from './manhattan-figure.module.css';

/** A real GWAS, drawn here and now. The table beneath has the same for those who do not see it. */
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
  const canvas = useRef<HTMLCanvasElement>(null);
  const scheme = useComputedColorScheme('light');
  const isDark = scheme === 'dark';

  useEffect(() => {
    const element = canvas.current;
    if (!element || !data) return undefined;
    const draw = (): void => {
      const { width, height } = element.getBoundingClientRect();
      const scale = window.devicePixelRatio || 1;
      element.width = Math.round(width * scale);
      element.height = Math.round(height * scale);
      const context = element.getContext('2d');
      if (!context) return;
      context.scale(scale, scale);
      drawManhattan(
        context,
        { width, height },
        data.points,
        isDark
          ? { text: '#a3a3a0', line: '#3d3d3b', accent: '#e5b454', tones: ['#5cc48a', '#8fa7b8'] }
          : { text: '#5f5f5c', line: '#dededc', accent: '#a04000', tones: ['#2b7a4b', '#7b8f9e'] },
        { x: t('home.axisChromosome'), y: '−log₁₀ p', threshold: t('home.threshold') },
      );
    };
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    return () => observer.disconnect();
  }, [data, isDark, t]);

  return (
    <figure className={classes.figure}>
      <canvas
        ref={canvas}
        className={classes.canvas}
        role="img"
        aria-label={t('home.figureLabel', { hits: gwas ? gwas.top.map((one) => one.id).join(', ') : '' })}
      />
      <figcaption className={classes.caption}>
        {t('home.caption', { lines: formatCount(gwas?.lines ?? 0), markers: formatCount(gwas?.markers ?? 0) })}
      </figcaption>
      <details className={classes.details}>
        <summary>{t('home.topMarkers')}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('home.marker')}</th>
              <th scope="col">{t('home.chromosome')}</th>
              <th scope="col">{t('home.position')}</th>
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
        <a className="hx-link" href={gwasUrl} download="maize-ear-height.json">
          {t('home.download')}
        </a>
      </details>
    </figure>
  );
}
