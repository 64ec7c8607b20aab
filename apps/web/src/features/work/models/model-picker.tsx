import { hasMarkerEffects } from '@heterosis/contracts/options/model-types';
import type { Model } from '@heterosis/contracts/work/models';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import { PickField } from '../../../components/form/pick-field.tsx';
import classes from '../../../components/form/picker.module.css';
import { PickerButtons } from '../../../components/form/picker-buttons.tsx';
import { IconChartDots } from '../../../components/icons.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { asProblem } from '../../../lib/api/problem.ts';
import { modelRuns } from './models.api.ts';

/** What a model is chosen for: values of lines, or the effects of their markers. */
export type ModelUse = 'values' | 'effects';

/** Lists the models of the project by name. */
function ModelPicker({
  projectId,
  use,
  onSelect,
  onClose,
}: {
  projectId: string;
  use: ModelUse;
  onSelect: (model: Model) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const models = useQuery(modelRuns.list(projectId));
  const [chosen, setChosen] = useState<Model>();
  const sorted = [...(models.data ?? [])].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  return (
    <ModalFrame title={t('nav.models')} onClose={onClose} size="24rem">
      {models.error && <ErrorNotice error={models.error} onRetry={() => void models.refetch()} />}
      <div className={classes.list} role="group" aria-label={t('nav.models')}>
        {models.isPending && <Skeleton height={28} />}
        {sorted.map((one) => (
          <button
            key={one.id}
            type="button"
            className={classes.entry}
            aria-pressed={chosen?.id === one.id}
            disabled={!mayServe(one, use)}
            onClick={() => setChosen(one)}
            onDoubleClick={() => onSelect(one)}
          >
            <IconChartDots size={18} aria-hidden="true" />
            <span className={classes.entryName} title={one.name}>
              {one.name}
            </span>
            <span className={classes.entryNote}>{noteOf(one, use, t)}</span>
          </button>
        ))}
        {models.data?.length === 0 && <p className={classes.empty}>{t('models.emptyTitle')}</p>}
      </div>
      <PickerButtons chosen={chosen} onSelect={onSelect} onClose={onClose} />
    </ModalFrame>
  );
}

/** A field for a model of the project, the newest first; the picker lists them by name. */
export function ModelField(props: {
  projectId: string;
  use: ModelUse;
  value: { id: string; name: string } | undefined;
  onChange: (model: Model) => void;
  error?: ReactNode;
}) {
  const { t } = useTranslation();
  const [isBrowsing, setBrowsing] = useState(false);
  const models = useQuery(modelRuns.list(props.projectId));
  const { use } = props;
  const sorted = models.data && byUse(models.data, use);
  return (
    <>
      <PickField
        label={t('kind.model')}
        options={sorted?.map((one) => ({
          id: one.id,
          name: one.name,
          note: (
            <>
              {noteOf(one, use, t)} · <RelativeTime date={one.created_at} />
            </>
          ),
          isDisabled: !mayServe(one, use),
        }))}
        value={props.value}
        onChange={(id) => {
          const model = sorted?.find((one) => one.id === id);
          if (model) props.onChange(model);
        }}
        placeholder={t('word.chooseAModel')}
        nothingFound={t('models.noneFound')}
        browseLabel={t('models.browse')}
        onBrowse={() => setBrowsing(true)}
        error={props.error ?? (models.error ? asProblem(models.error).detail : undefined)}
      />
      {isBrowsing && (
        <ModelPicker
          projectId={props.projectId}
          use={use}
          onClose={() => setBrowsing(false)}
          onSelect={(model) => {
            props.onChange(model);
            setBrowsing(false);
          }}
        />
      )}
    </>
  );
}

/** Those that can be chosen before those that cannot, the newest first. */
function byUse(models: readonly Model[], use: ModelUse): Model[] {
  return [...models].sort(
    (a, b) => Number(mayServe(b, use)) - Number(mayServe(a, use)) || b.created_at.localeCompare(a.created_at),
  );
}

/** The one model that a run can be started with; undefined where there are several, or none. */
export function useOnlyModel(projectId: string, use: ModelUse): Model | undefined {
  const usable = useQuery(modelRuns.list(projectId)).data?.filter((model) => mayServe(model, use)) ?? [];
  return usable.length === 1 ? usable[0] : undefined;
}

/** Crosses are judged by the effects of markers, which a kernel has not. */
const mayServe = (model: Model, use: ModelUse): boolean =>
  isTrained(model) && (use === 'values' || hasMarkerEffects(model.model_type));

function noteOf(model: Model, use: ModelUse, t: TFunction): string {
  if (!isTrained(model)) return t('models.notTrained');
  return mayServe(model, use) ? model.traits.join(', ') : t('models.noEffects');
}

function isTrained(model: Model): boolean {
  return Object.values(model.status).some((status) => status !== 'TRAINING' && status !== 'ERROR');
}
