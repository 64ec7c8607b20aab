import { createFileRoute } from '@tanstack/react-router';
import { MailsPage } from '../../../features/operation/operators/mails-page.tsx';

export const Route = createFileRoute('/_app/operator/mails')({ component: MailsPage });
