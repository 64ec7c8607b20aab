import { Loader, Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useArrivingMark } from './arriving-parts.ts';
import classes from './loading.module.css';

/**
 * While it is not known yet what to show; the words say what is awaited when that may take longer. `isTall`: what comes
 * fills the window, so that the foot of the page is not seen before it.
 */
export function PageLoading({ title, isTall = false }: { title?: string; isTall?: boolean }) {
  const { t } = useTranslation();
  useArrivingMark();
  return (
    <div className={classes.page} data-tall={isTall || undefined} role="status" aria-label={title ?? t('page.loading')}>
      <Loader size="sm" />
      {title !== undefined && <p className={classes.title}>{title}</p>}
    </div>
  );
}

/** In the place of results that fill the window: what stands below them must not be seen before and then move. */
export function ResultsSkeleton() {
  return (
    <div className={classes.results}>
      <SkeletonLines lines={8} />
    </div>
  );
}

/** Grey bars in the place of text that is on its way. */
export function SkeletonLines({ lines = 3 }: { lines?: number }) {
  const { t } = useTranslation();
  useArrivingMark();
  return (
    <div role="status" aria-label={t('page.loading')} className={classes.lines}>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={14} width={`${90 - ((line * 17) % 45)}%`} radius="sm" />
      ))}
    </div>
  );
}
