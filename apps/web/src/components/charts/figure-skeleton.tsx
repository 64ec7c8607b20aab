import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useArrivingMark } from '../page/arriving-parts.ts';
import classes from './figure.module.css';

/** As large as the figure on its way, so that nothing below it moves when it comes. */
export function FigureSkeleton({ height, hasTools = false }: { height: number; hasTools?: boolean }) {
  const { t } = useTranslation();
  useArrivingMark();
  return (
    <div role="status" aria-label={t('page.loading')} className={classes.figure}>
      <div className={classes.head}>
        <Skeleton height={16} width="40%" radius="sm" />
      </div>
      <div className={classes.caption}>
        <Skeleton height={12} width="70%" radius="sm" />
      </div>
      {hasTools && (
        <div className={classes.tools}>
          <Skeleton height={28} width={240} radius="sm" />
        </div>
      )}
      <Skeleton height={height} radius="sm" />
    </div>
  );
}
