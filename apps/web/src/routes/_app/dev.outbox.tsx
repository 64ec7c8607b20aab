import { createFileRoute } from '@tanstack/react-router';
import { OutboxPage } from '../../features/people/auth/outbox-page.tsx';

/** The mails of an installation that sends none; its server answers to the own machine only. */
export const Route = createFileRoute('/_app/dev/outbox')({ staticData: { isPublic: true }, component: OutboxPage });
