import type { GermplasmDetail } from '@heterosis/contracts/data/germplasm';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { asProblem } from '../../../lib/api/problem.ts';
import type { Place } from '../../../lib/browser/place.ts';
import { showUndoToast } from '../../../lib/browser/undo-toast.ts';
import { germplasmLink, useMergeGermplasm, useUndoChange } from './germplasm.api.ts';
import { GermplasmSelect } from './germplasm-select.tsx';

/** Makes one line of two. */
export function MergeGermplasmDialog(props: {
  place: Place;
  organizationId: string;
  germplasm: GermplasmDetail;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { place, organizationId, germplasm, onClose } = props;
  const merge = useMergeGermplasm(organizationId, germplasm.id);
  const undo = useUndoChange(organizationId);
  const [into, setInto] = useState<{ id: string; name: string } | null>(null);
  const submit = async (): Promise<void> => {
    if (into === null || merge.isPending) return;
    const done = await merge.mutateAsync(into.id).catch(() => undefined);
    if (done === undefined) return;
    onClose();
    const names = { name: germplasm.name, into: into.name };
    showUndoToast(t, {
      text: t('germplasm.merged', names),
      undone: t('germplasm.mergeUndone', names),
      undo: () => undo.mutateAsync(done.change_id),
    });
    await navigate(germplasmLink(place, into.id) as Parameters<typeof navigate>[0]);
  };
  return (
    <ModalFrame title={t('germplasm.mergeTitle', { name: germplasm.name })} onClose={onClose} busy={merge.isPending}>
      <form
        className={formClasses.form}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p style={{ margin: 0 }}>{t('germplasm.mergeText', { name: germplasm.name })}</p>
        <GermplasmSelect
          place={place}
          cropId={germplasm.crop.id}
          label={t('germplasm.mergeInto')}
          value={into}
          onChange={setInto}
          but={germplasm.id}
          hasFocus
        />
        <FormFooter
          submitLabel={t('germplasm.mergeAction')}
          isPending={merge.isPending}
          problem={merge.error === null ? undefined : asProblem(merge.error)}
          disabledReason={into === null ? t('germplasm.chooseLine') : undefined}
          onCancel={onClose}
        />
      </form>
    </ModalFrame>
  );
}
