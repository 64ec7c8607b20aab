import { SkeletonLines } from '../../../components/page/loading.tsx';
import classes from './trial-analyses.module.css';

/** In the place of figures that are read: as high as the window, so that what stands below them does not move. */
export function WaitingFigures() {
  return (
    <div className={classes.waiting}>
      <SkeletonLines lines={14} />
    </div>
  );
}
