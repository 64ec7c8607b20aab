import { Button, Indicator, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../components/form/icon-button.tsx';
import { IconLogout, IconMail, IconTool, IconUser } from '../../../components/icons.tsx';
import { useModal } from '../../../lib/browser/modal.ts';
import { initials } from '../../../lib/format/initials.ts';
import { session, useSession } from '../../../lib/session/browser-session.ts';
import { profileQuery } from '../../people/accounts/index.ts';
import { invitationsQuery } from '../../people/invitations/index.ts';
import { NotificationBell } from '../../people/notifications/index.ts';
import classes from './header.module.css';

/** Who is signed in, the invitation box, and the menu behind the initials. */
export function UserControls() {
  const { t } = useTranslation();
  const modal = useModal();
  const state = useSession();
  const navigate = useNavigate();
  const { data: invitations } = useQuery(invitationsQuery());
  const isOperator = useQuery(profileQuery()).data?.is_operator === true;
  if (state.status !== 'signed-in') return null;
  const signOut = async () => {
    await session.signOut();
    // Protected pages lead there by themselves; public ones would stay open.
    await navigate({ to: '/' });
  };
  if (state.guestOf !== undefined)
    return (
      <Button size="compact-sm" renderRoot={(props) => <Link to="/" {...props} />}>
        {t('word.signIn')}
      </Button>
    );
  const { user } = state;
  const shownName = user.displayName ?? user.email;
  const waiting = invitations?.length ?? 0;
  const boxLabel = waiting > 0 ? t('header.invitationsWaiting', { count: waiting }) : t('word.invitations');
  return (
    <>
      <span className={classes.name} title={user.email}>
        {shownName}
      </span>
      <Indicator label={waiting} size={15} offset={5} disabled={waiting === 0} color="red.8">
        <IconButton label={boxLabel} onClick={() => modal.open('invitation-box')}>
          <IconMail size={18} />
        </IconButton>
      </Indicator>
      <NotificationBell />
      <Menu>
        <Menu.Target>
          <button type="button" className={classes.avatar}>
            {user.photoURL === null ? (
              <span aria-hidden="true">{initials(shownName)}</span>
            ) : (
              <img src={user.photoURL} alt="" className={classes.photo} />
            )}
            <span className="hx-visually-hidden">{t('header.userMenu', { name: shownName })}</span>
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{user.email}</Menu.Label>
          <Menu.Item leftSection={<IconUser size={16} />} renderRoot={(props) => <Link to="/account" {...props} />}>
            {t('word.myAccount')}
          </Menu.Item>
          {isOperator && (
            <Menu.Item
              leftSection={<IconTool size={16} />}
              renderRoot={(props) => <Link to="/operator/registrations" {...props} />}
            >
              {t('operator.pages')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
            {t('word.signOut')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
