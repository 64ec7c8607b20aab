import type { ExistingRule } from '@heterosis/contracts/data/germplasm-uploads';
import { Checkbox, FileInput, NativeSelect, Radio } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { TemplateLink } from '../../../components/form/template-link.tsx';
import { asProblem } from '../../../lib/api/problem.ts';
import type { ModalProps } from '../../../lib/browser/modal.ts';
import type { Place } from '../../../lib/browser/place.ts';
import { cropsQuery } from '../../people/crops/index.ts';
import { takeDropped } from '../files/index.ts';
import { uploadLink, useStartUpload } from './germplasm.api.ts';
import { useGermplasmStanding, useModalPlace } from './use-germplasm-place.ts';

const ACCEPTED = '.csv,.tsv,.txt,.xlsx,.gz';

/** Opened on the germplasm page of an organization or a project. */
export function UploadGermplasmModal({ close }: ModalProps) {
  const place = useModalPlace();
  return place === undefined ? null : <UploadForm place={place} close={close} />;
}

function UploadForm({ place, close }: { place: Place; close: () => Promise<void> }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const start = useStartUpload(place);
  const isOrganization = place.kind === 'organization';
  const { mayChange } = useGermplasmStanding(place);
  const { data: crops } = useQuery({ ...cropsQuery(place.id), enabled: isOrganization });
  const [file, setFile] = useState<File | null>(null);
  const [chosenCrop, setCrop] = useState<string>();
  const cropId = chosenCrop ?? crops?.[0]?.id;
  const [existing, setExisting] = useState<ExistingRule>('keep');
  const [founders, setFounders] = useState(false);

  useEffect(() => {
    const [pasted] = takeDropped();
    if (pasted) setFile(pasted);
  }, []);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (file === null || start.isPending) return;
    const form = new FormData();
    if (isOrganization && cropId !== undefined) form.append('crop_id', cropId);
    form.append('existing', existing);
    form.append('generate_unknown_parent', String(founders));
    form.append('file', file, file.name);
    const upload = await start.mutateAsync(form).catch(() => undefined);
    if (upload === undefined) return;
    await close();
    await navigate(uploadLink(place, upload.id) as Parameters<typeof navigate>[0]);
  };
  const disabledReason =
    file === null
      ? t('germplasm.chooseFile')
      : isOrganization && crops?.length === 0
        ? t('germplasm.cropFirst')
        : undefined;
  return (
    <ModalFrame title={t('germplasm.uploadTitle')} onClose={() => void close()} busy={start.isPending} size="lg">
      <form className={formClasses.form} onSubmit={(event) => void submit(event)}>
        <p className="hx-muted" style={{ margin: 0 }}>
          {t('germplasm.uploadText')} <TemplateLink kind="GERMPLASM" />
        </p>
        {isOrganization && (crops?.length ?? 0) > 0 && (
          <NativeSelect
            label={t('column.crop')}
            value={cropId ?? ''}
            onChange={(event) => setCrop(event.currentTarget.value)}
            data={(crops ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        <FileInput
          label={t('germplasm.file')}
          placeholder={t('germplasm.chooseFile')}
          accept={ACCEPTED}
          value={file}
          onChange={setFile}
          clearable
          data-autofocus
        />
        {(isOrganization || mayChange) && <ExistingChoice value={existing} onChange={setExisting} />}
        <Checkbox
          label={t('germplasm.founders')}
          description={t('germplasm.foundersHint')}
          checked={founders}
          onChange={(event) => setFounders(event.currentTarget.checked)}
        />
        <FormFooter
          submitLabel={t('germplasm.check')}
          isPending={start.isPending}
          problem={start.error === null ? undefined : asProblem(start.error)}
          disabledReason={disabledReason}
          onCancel={() => void close()}
        />
      </form>
    </ModalFrame>
  );
}

/** What happens to lines that are in the list already. */
export function ExistingChoice(props: {
  value: ExistingRule;
  onChange: (value: ExistingRule) => void;
  /** Beside each other, where there is room. */
  isRow?: boolean;
}) {
  const { t } = useTranslation();
  const { value, onChange, isRow = false } = props;
  return (
    <Radio.Group label={t('germplasm.existing')} value={value} onChange={(next) => onChange(next as ExistingRule)}>
      <div style={{ display: 'flex', flexFlow: isRow ? 'row wrap' : 'column', gap: '6px 16px', marginTop: 4 }}>
        {(['keep', 'fill', 'overwrite'] as const).map((rule) => (
          <Radio key={rule} value={rule} label={t(`germplasm.rule.${rule}`)} />
        ))}
      </div>
    </Radio.Group>
  );
}
