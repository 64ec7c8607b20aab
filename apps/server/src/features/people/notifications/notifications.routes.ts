import { notificationsApi } from '@heterosis/contracts/endpoints/people/notifications';
import { bind } from '../../../platform/http/bind.ts';
import * as notifications from './notifications.service.ts';

export const notificationRoutes = bind(notificationsApi, notifications);
