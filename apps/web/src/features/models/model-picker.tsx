import type { Model } from '@heterosis/contracts/models';
import { Button, Input, Skeleton } from '@mantine/core';
import { IconChartDots } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ModalFrame } from '../../components/modal-frame.tsx';
import classes from '../../components/picker.module.css';
import { modelsQuery } from './models.api.ts';

/** Lists the models of the project by name. */
function ModelPicker({
  projectId,
  onSelect,
  onClose,
}: {
  projectId: string;
  onSelect: (model: Model) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const models = useQuery(modelsQuery(projectId));
  const [chosen, setChosen] = useState<Model>();
  const sorted = [...(models.data ?? [])].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  return (
    <ModalFrame title={t('nav.models')} onClose={onClose} size="24rem" isNested>
      {models.error && <ErrorNotice error={models.error} onRetry={() => void models.refetch()} />}
      <div className={classes.list} role="group" aria-label={t('nav.models')}>
        {models.isPending && <Skeleton height={28} />}
        {sorted.map((one) => (
          <button
            key={one.id}
            type="button"
            className={classes.entry}
            aria-pressed={chosen?.id === one.id}
            disabled={!isTrained(one)}
            onClick={() => setChosen(one)}
            onDoubleClick={() => onSelect(one)}
          >
            <IconChartDots size={18} aria-hidden="true" />
            <span className={classes.entryName} title={one.name}>
              {one.name}
            </span>
            <span className={classes.entryNote}>{isTrained(one) ? one.traits.join(', ') : t('models.notTrained')}</span>
          </button>
        ))}
        {models.data?.length === 0 && <p className={classes.empty}>{t('models.emptyTitle')}</p>}
      </div>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button disabled={!chosen} onClick={() => chosen && onSelect(chosen)}>
          {t('action.select')}
        </Button>
      </div>
    </ModalFrame>
  );
}

/** A form field that shows the chosen model and opens the picker. */
export function ModelField(props: {
  projectId: string;
  value: { id: string; name: string } | undefined;
  onChange: (model: Model) => void;
  error?: ReactNode;
}) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <Input.Wrapper label={t('predictions.model')} labelElement="div" labelProps={{ id }} error={props.error}>
      <Button
        variant="default"
        fullWidth
        justify="space-between"
        aria-describedby={id}
        fw={props.value ? 500 : 400}
        rightSection={<IconChartDots size={16} aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {props.value?.name ?? t('models.choose')}
      </Button>
      {isOpen && (
        <ModelPicker
          projectId={props.projectId}
          onClose={() => setOpen(false)}
          onSelect={(model) => {
            props.onChange(model);
            setOpen(false);
          }}
        />
      )}
    </Input.Wrapper>
  );
}

function isTrained(model: Model): boolean {
  return Object.values(model.status).some((status) => status !== 'TRAINING' && status !== 'ERROR');
}
