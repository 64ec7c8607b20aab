import { createFileRoute } from '@tanstack/react-router';
import { SetupPage } from '../../features/people/accounts/setup-page.tsx';

export const Route = createFileRoute('/_app/setup')({ staticData: { hidesUserControls: true }, component: SetupPage });
