import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useModal } from '../../../lib/browser/modal.ts';
import { organizationsQuery } from '../../people/organizations/index.ts';
import classes from '../header/header.module.css';

/** The first organization, or the way to one. */
export function OrganizationButton() {
  const { t } = useTranslation();
  const modal = useModal();
  const { data: organizations } = useQuery(organizationsQuery());
  const first = organizations?.[0];
  if (!organizations) return null;
  if (!first) {
    return (
      <Button size="compact-sm" variant="default" onClick={() => modal.open('create-org')}>
        {t('header.createOrganization')}
      </Button>
    );
  }
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      className={classes.organization ?? ''}
      renderRoot={(props) => (
        <Link to="/organizations/$organizationId" params={{ organizationId: first.id }} {...props} />
      )}
    >
      {first.name}
    </Button>
  );
}
