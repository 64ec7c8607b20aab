import { createFileRoute } from '@tanstack/react-router';
import { AccountPage } from '../../features/accounts/account-page.tsx';

export const Route = createFileRoute('/_app/account')({ component: AccountPage });
