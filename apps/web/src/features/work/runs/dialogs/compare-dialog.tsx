import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import { useQueries } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import { runLink } from '../../../../lib/browser/run-kinds.ts';
import { useRequiredProjectId } from '../../../../lib/session/current.ts';
import { useTraitOrder } from '../../../people/projects/index.ts';
import type { Runs } from '../runs-of.ts';
import { useParameterName } from '../use-parameter-name.ts';
import classes from './compare-dialog.module.css';
import { type DifferingSetting, differingSettings } from './differing-settings.ts';

/** At least two, and as many as stand side by side. */
export const COMPARED = { min: 2, max: 4 };

type ComparedRun = Parameters<typeof differingSettings>[0][number] & { id: string; name: string; traits: string[] };

/** Runs of one kind side by side: their figures by trait, and in what their inputs and settings differ. */
export function CompareDialog<Item, Run extends ComparedRun>(props: {
  runs: Pick<Runs<Item, Run, never>, 'kind' | 'detail'>;
  /** The ids of the runs, with commas between them. */
  ids: string;
  close: () => Promise<void>;
  /** The figure of a trait in a run. */
  figure: (run: Run, trait: string) => ReactNode;
  figureName: string;
  children?: ((runs: Run[]) => ReactNode) | undefined;
}) {
  const { close, figure } = props;
  const { kind, detail } = props.runs;
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const queries = useQueries({ queries: props.ids.split(',').map((id) => detail(projectId, id)) });
  const failed = queries.find(({ error }) => error);
  const runs = queries.flatMap(({ data }) => data ?? []);
  const isComplete = runs.length === queries.length;
  const traits = useTraitOrder(projectId)(runs.flatMap((run) => run.traits));
  const heads = runs.map((run) => (
    <th key={run.id} scope="col">
      <Link {...(runLink(kind, projectId, run.id) as LinkProps)} className="hx-link">
        {run.name}
      </Link>
    </th>
  ));
  return (
    <ModalFrame
      title={t('compare.title', { what: t(`nav.${RUN_KINDS[kind].path}`) })}
      onClose={() => void close()}
      size="64rem"
    >
      {failed ? (
        <ErrorNotice error={failed.error} />
      ) : !isComplete ? (
        <SkeletonLines lines={8} />
      ) : (
        <div className={classes.parts}>
          <div className={classes.scroll}>
            <table className={classes.table}>
              <caption>{props.figureName}</caption>
              <thead>
                <tr>
                  <th scope="col">{t('word.trait')}</th>
                  {heads}
                </tr>
              </thead>
              <tbody>
                {traits.map((trait) => (
                  <tr key={trait}>
                    <th scope="row">{trait}</th>
                    {runs.map((run) => (
                      <td key={run.id}>{run.traits.includes(trait) ? figure(run, trait) : '–'}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {props.children?.(runs)}
          <Differences kind={kind} settings={differingSettings(runs)} heads={heads} ids={runs.map(({ id }) => id)} />
        </div>
      )}
    </ModalFrame>
  );
}

function Differences(props: { kind: RunKind; settings: DifferingSetting[]; heads: ReactNode; ids: string[] }) {
  const { settings, heads, ids } = props;
  const { t } = useTranslation();
  const nameOf = useParameterName(props.kind);
  if (settings.length === 0) return <p className="hx-muted">{t('compare.nothingDiffers')}</p>;
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <caption>{t('compare.differences')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('compare.setting')}</th>
            {heads}
          </tr>
        </thead>
        <tbody>
          {settings.map(({ name, values }) => (
            <tr key={name}>
              <th scope="row">{nameOf(name)}</th>
              {values.map((value, at) => (
                <td key={ids[at]}>{value ?? '–'}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
