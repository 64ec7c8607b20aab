import type { ChartColors } from '@heterosis/charts/chart-colors';
import type { OverviewAssociation } from '@heterosis/contracts/people/projects';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useChartColors } from '../../../../components/charts/use-chart-colors.ts';
import { formatPValue } from '../../../../lib/format/format.ts';
import { layOutScan, type ScanPoints } from './genome-scan-layout.ts';
import { genomeScanQuery } from './overview-figures.api.ts';
import classes from './overview-results.module.css';

const EDGE_PX = 3;
const POINT_PX = 1.4;

/** A small Manhattan plot: where on the genome the markers of a trait are, and which pass the threshold. */
export function GenomeScan({ projectId, association }: { projectId: string; association: OverviewAssociation }) {
  const { t } = useTranslation();
  const { gwas, trait, bonferroni, top } = association;
  const { data } = useQuery(genomeScanQuery(projectId, gwas.id, trait));
  const scan = useMemo(() => (data ? layOutScan(data, bonferroni) : undefined), [data, bonferroni]);
  const colors = useChartColors();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    if (!element || !scan) return undefined;
    const observer = new ResizeObserver(() => drawScan(element, scan, -Math.log10(bonferroni), colors));
    observer.observe(element);
    return () => observer.disconnect();
  }, [scan, bonferroni, colors]);
  return (
    <canvas
      ref={canvas}
      className={classes.scan}
      role="img"
      aria-label={t('overview.scanLabel', { trait, marker: top?.id ?? '–', p: formatPValue(top?.p) })}
    />
  );
}

function drawScan(element: HTMLCanvasElement, scan: ScanPoints, threshold: number, colors: ChartColors): void {
  const { width, height } = element.getBoundingClientRect();
  const scale = window.devicePixelRatio || 1;
  element.width = Math.round(width * scale);
  element.height = Math.round(height * scale);
  const context = element.getContext('2d');
  if (!context) return;
  context.scale(scale, scale);
  const toX = (share: number): number => EDGE_PX + share * (width - 2 * EDGE_PX);
  const toY = (value: number): number => height - EDGE_PX - (value / scan.largest) * (height - 2 * EDGE_PX);
  context.strokeStyle = colors.line;
  context.strokeRect(0, height - 0.5, width, 0);
  context.strokeStyle = colors.threshold;
  context.setLineDash([5, 4]);
  context.beginPath();
  context.moveTo(0, Math.round(toY(threshold)) + 0.5);
  context.lineTo(width, Math.round(toY(threshold)) + 0.5);
  context.stroke();
  for (const [tone, color] of colors.tones.entries()) {
    context.fillStyle = color;
    context.beginPath();
    for (let index = 0; index < scan.x.length; index++) {
      if (scan.isSecondTone[index] !== tone) continue;
      const [x, y] = [toX(scan.x[index] ?? 0), toY(scan.y[index] ?? 0)];
      context.moveTo(x + POINT_PX, y);
      context.arc(x, y, POINT_PX, 0, 2 * Math.PI);
    }
    context.fill();
  }
}
