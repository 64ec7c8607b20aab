import type { BrapiOffer } from '@heterosis/contracts/data/brapi-import';
import { Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../../components/form/form.module.css';
import { FormFooter } from '../../../../components/form/form-footer.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import type { ModalProps } from '../../../../lib/browser/modal.ts';
import { useSubmission } from '../../../../lib/form/form.ts';
import { formatCount } from '../../../../lib/format/format.ts';
import { useRequiredProjectId } from '../../../../lib/session/current.ts';
import { importsQuery, useImportMutations } from './brapi-import.api.ts';
import { ImportList } from './import-list.tsx';

interface Access {
  url: string;
  token: string;
}

/** Takes trials, variant sets, maps and germplasm from another server: first where it is, then what. */
export function BrapiImportModal({ close }: ModalProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  const imports = useQuery(importsQuery(projectId));
  const [access, setAccess] = useState<Access>({ url: '', token: '' });
  const [offer, setOffer] = useState<BrapiOffer>();
  return (
    <ModalFrame title={t('files.brapi.title')} help="brapi#import-from-another-server" onClose={close} size="lg">
      {offer === undefined ? (
        <AddressForm
          projectId={projectId}
          access={access}
          onCancel={close}
          onFound={(told, found) => {
            setAccess(told);
            setOffer(found);
          }}
        />
      ) : (
        <ChoiceForm
          projectId={projectId}
          access={access}
          offer={offer}
          onBack={() => setOffer(undefined)}
          onCancel={close}
          onStarted={() => setOffer(undefined)}
        />
      )}
      {imports.data && imports.data.data.length > 0 && (
        <ImportList projectId={projectId} imports={imports.data.data} onLeave={() => void close()} />
      )}
    </ModalFrame>
  );
}

function AddressForm(props: {
  projectId: string;
  access: Access;
  onCancel: () => void;
  onFound: (access: Access, offer: BrapiOffer) => void;
}) {
  const { t } = useTranslation();
  const { look } = useImportMutations(props.projectId);
  const form = useForm({
    initialValues: { url: props.access.url, token: props.access.token },
    validate: { url: (value) => (value.trim() === '' ? t('files.brapi.addressMissing') : null) },
  });
  const submission = useSubmission(
    form,
    ({ url, token }) => look.mutateAsync({ url, token }),
    (offer) => props.onFound(form.getValues(), offer),
  );
  return (
    <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
      <p className="hx-muted">{t('files.brapi.text')}</p>
      <TextInput
        label={t('files.brapi.address')}
        description={t('files.brapi.addressHint')}
        placeholder="https://server.example/brapi/v2"
        type="url"
        maxLength={500}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('url')}
      />
      <TextInput
        type="password"
        label={t('files.brapi.token')}
        description={t('files.brapi.tokenHint')}
        maxLength={4000}
        autoComplete="off"
        {...form.getInputProps('token')}
      />
      <FormFooter
        submitLabel={t('files.brapi.look')}
        isPending={submission.isPending}
        problem={submission.problem}
        onCancel={props.onCancel}
      />
    </form>
  );
}

interface Chosen extends Record<string, unknown> {
  germplasm: boolean;
  trials: string[];
  variant_sets: string[];
  maps: string[];
}

function ChoiceForm(props: {
  projectId: string;
  access: Access;
  offer: BrapiOffer;
  onBack: () => void;
  onCancel: () => void;
  onStarted: () => void;
}) {
  const { projectId, access, offer, onBack, onCancel, onStarted } = props;
  const { t } = useTranslation();
  const { start } = useImportMutations(projectId);
  const form = useForm<Chosen>({ initialValues: { germplasm: false, trials: [], variant_sets: [], maps: [] } });
  const submission = useSubmission(form, (chosen) => start.mutateAsync({ ...access, ...chosen }), onStarted);
  const { germplasm, trials, variant_sets, maps } = form.values;
  const isEmpty = !germplasm && trials.length + variant_sets.length + maps.length === 0;
  const hasNothing = offer.trials.length + offer.variant_sets.length + offer.maps.length === 0;
  const counts = (...texts: (string | null)[]) => texts.filter((text) => text !== null).join(', ');
  const counted = (key: 'individuals' | 'markers' | 'studies', count: number | null) =>
    count === null ? null : t(`files.brapi.${key}`, { count, n: formatCount(count) });
  return (
    <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
      <p>{t('files.brapi.found', { name: offer.server_name, url: offer.url })}</p>
      {hasNothing && <Notice kind="warning">{t('files.brapi.nothing')}</Notice>}
      <Choice
        label={t('files.brapi.trials')}
        items={offer.trials.map((one) => ({ ...one, about: counts(one.program, counted('studies', one.studies)) }))}
        {...form.getInputProps('trials')}
      />
      <Choice
        label={t('files.brapi.variantSets')}
        items={offer.variant_sets.map((one) => ({
          ...one,
          about: counts(counted('individuals', one.individuals), counted('markers', one.markers)),
        }))}
        {...form.getInputProps('variant_sets')}
      />
      <Choice
        label={t('files.brapi.maps')}
        items={offer.maps.map((one) => ({ ...one, about: counted('markers', one.markers) ?? '' }))}
        {...form.getInputProps('maps')}
      />
      {offer.has_germplasm && (
        <Checkbox
          label={t('files.brapi.germplasm')}
          description={t('files.brapi.germplasmHint')}
          {...form.getInputProps('germplasm', { type: 'checkbox' })}
        />
      )}
      <FormFooter
        submitLabel={t('files.brapi.start')}
        isPending={submission.isPending}
        problem={submission.problem}
        onBack={onBack}
        onCancel={onCancel}
        disabledReason={isEmpty ? t('files.brapi.chooseSome') : undefined}
      />
    </form>
  );
}

function Choice(props: {
  label: string;
  items: readonly { id: string; name: string; about: string }[];
  value?: string[];
  onChange?: (value: string[]) => void;
}) {
  const { label, items, value = [], onChange } = props;
  if (items.length === 0) return null;
  return (
    <Checkbox.Group label={label} value={value} {...(onChange === undefined ? {} : { onChange })}>
      <div style={{ maxHeight: '14rem', overflowY: 'auto' }}>
        {items.map(({ id, name, about }) => (
          <Checkbox key={id} value={id} label={name} description={about} mt="xs" />
        ))}
      </div>
    </Checkbox.Group>
  );
}
