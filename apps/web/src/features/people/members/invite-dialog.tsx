import type { InvitedRole } from '@heterosis/contracts/people/invitations';
import type { OrganizationDetail } from '@heterosis/contracts/people/organizations';
import { MultiSelect, SegmentedControl, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import type { Place } from '../../../lib/browser/place.ts';
import { useSubmission } from '../../../lib/form/form.ts';
import { parseAddresses } from './addresses.ts';
import classes from './invite-dialog.module.css';
import { type InviteResult, projectsToInviteQuery, useInvite } from './people.api.ts';
import { mayInvite, rolesToInvite, type Standing } from './rights.ts';

type Seats = Pick<OrganizationDetail, 'id' | 'rights' | 'seat_total' | 'seat_usage'>;

interface InviteDialogProps {
  title: string;
  place: Place;
  /** Undefined until it is known. */
  standing: Standing | undefined;
  /** Of the organization; undefined for who may not see them. */
  seats: Seats | undefined;
  error: unknown;
  close: () => void;
}

/** Invites one address or many. It stays open: those refused are in the field again, each with its reason. */
export function InviteDialog({ title, place, standing, seats, error, close }: InviteDialogProps) {
  const { t } = useTranslation();
  const [hasAddresses, setHasAddresses] = useState(false);
  return (
    <ModalFrame title={title} help="organizations#people" onClose={close} size="lg" unsaved={{ isDirty: hasAddresses }}>
      {error ? <ErrorNotice error={error} /> : null}
      {!standing && !error && <SkeletonLines />}
      {standing && !mayInvite(standing) && <p>{t('invitation.noRight')}</p>}
      {standing && mayInvite(standing) && (
        <InviteForm
          place={place}
          roles={rolesToInvite(standing)}
          seats={seats}
          close={close}
          onChange={setHasAddresses}
        />
      )}
    </ModalFrame>
  );
}

function InviteForm(props: {
  place: Place;
  roles: InvitedRole[];
  seats: Seats | undefined;
  close: () => void;
  /** Told whether the dialog holds addresses that closing would lose. */
  onChange: (hasAddresses: boolean) => void;
}) {
  const { place, roles, seats, close, onChange } = props;
  const { t } = useTranslation();
  const roleId = useId();
  const invite = useInvite(place);
  const [results, setResults] = useState<InviteResult[]>([]);
  const form = useForm({
    initialValues: { addresses: '', role: 'MEMBER' as InvitedRole, projects: [] as string[] },
    onValuesChange: ({ addresses }) => onChange(addresses.trim() !== ''),
  });
  const submission = useSubmission(
    form,
    ({ addresses, role, projects }) =>
      invite.mutateAsync({ addresses: parseAddresses(addresses).valid, role, projects }),
    (answers) => {
      setResults(answers);
      const refused = answers.filter(({ problem }) => problem !== undefined);
      form.setFieldValue('addresses', refused.map(({ address }) => address).join('\n'));
    },
  );
  const { valid, invalid } = parseAddresses(form.values.addresses);
  const reason =
    invalid.length > 0
      ? t('invitation.invalidEmail', { addresses: invalid.join(', ') })
      : valid.length === 0
        ? t('invitation.emailNeeded')
        : undefined;
  return (
    <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
      <Textarea
        label={t('invitation.addresses')}
        description={t('invitation.addressesHint')}
        autosize
        minRows={2}
        maxRows={10}
        spellCheck={false}
        autoCapitalize="off"
        inputMode="email"
        data-autofocus
        {...form.getInputProps('addresses')}
        error={invalid.length > 0 && !submission.isPending}
      />
      <div>
        <p id={roleId} className={classes.label}>
          {t('column.role')}
        </p>
        <SegmentedControl
          aria-labelledby={roleId}
          data={roles.map((role) => ({ value: role, label: t(`role.${role}`) }))}
          {...form.getInputProps('role')}
        />
        <p className={classes.hint}>{t(`people.${place.kind}Role.${form.values.role}`)}</p>
        {roles.length === 1 && <p className={classes.hint}>{t('invitation.membersOnly')}</p>}
      </div>
      {place.kind === 'organization' && form.values.role === 'MEMBER' && (
        <ProjectsField
          organizationId={place.id}
          value={form.values.projects}
          onChange={(projects) => form.setFieldValue('projects', projects)}
        />
      )}
      <SeatsLeft place={place} seats={seats} />
      <Results results={results} seats={seats} />
      <FormFooter
        submitLabel={valid.length > 1 ? t('invitation.inviteMany', { count: valid.length }) : t('invitation.invite')}
        isPending={submission.isPending}
        problem={submission.problem}
        disabledReason={reason}
        onCancel={close}
        {...(results.length > 0 ? { cancelLabel: t('action.close') } : {})}
      />
    </form>
  );
}

/** Projects that the invited join at once; otherwise they would come to an empty list. */
function ProjectsField(props: { organizationId: string; value: string[]; onChange: (projects: string[]) => void }) {
  const { t } = useTranslation();
  const { data: projects } = useQuery(projectsToInviteQuery(props.organizationId));
  if (!projects || projects.length === 0) return null;
  return (
    <MultiSelect
      label={t('invitation.toProjects')}
      description={t('invitation.projectsHint')}
      data={projects.map(({ id, name }) => ({ value: id, label: name }))}
      searchable
      value={props.value}
      onChange={props.onChange}
    />
  );
}

function SeatsLeft({ place, seats }: { place: Place; seats: Seats | undefined }) {
  const { t } = useTranslation();
  const { seat_total: total, seat_usage: usage } = seats ?? { seat_total: null, seat_usage: null };
  const isKnown = total !== null && usage !== null;
  return (
    <p className={classes.seats}>
      {isKnown && t('invitation.seatsLeft', { count: Math.max(0, total - usage), total })}{' '}
      {place.kind === 'project' ? t('invitation.guestTakesSeat') : t('invitation.takesSeat')}
    </p>
  );
}

/** One line for each address of the last try. */
function Results({ results, seats }: { results: InviteResult[]; seats: Seats | undefined }) {
  const { t } = useTranslation();
  const invited = results.filter(({ problem }) => problem === undefined);
  const refused = results.filter(({ problem }) => problem !== undefined);
  const lacksSeats = refused.some(({ problem }) => problem?.code === 'organizations/seats-exhausted');
  return (
    <>
      {invited.length > 0 && (
        <Notice kind="success">
          <p>{t('invitation.sent', { count: invited.length })}</p>
          <ul>
            {invited.map(({ address }) => (
              <li key={address}>{address}</li>
            ))}
          </ul>
        </Notice>
      )}
      {refused.length > 0 && (
        <Notice kind="warning">
          <p>{t('invitation.refused', { count: refused.length })}</p>
          <ul>
            {refused.map(({ address, problem }) => (
              <li key={address}>
                <strong>{address}</strong>: {problem?.detail}
              </li>
            ))}
          </ul>
          {lacksSeats && seats?.rights.includes('change_billing') && <AddSeats organizationId={seats.id} />}
        </Notice>
      )}
    </>
  );
}

/** In a tab of its own: the addresses that were refused stay here. */
function AddSeats({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  return (
    <Link
      to="/organizations/$organizationId/billing"
      params={{ organizationId }}
      search={{ modal: 'update-plan', modal_id: organizationId }}
      target="_blank"
      className="hx-link"
    >
      {t('invitation.addSeats')}
    </Link>
  );
}
