import { commentsApi } from '@heterosis/contracts/endpoints/people/comments';
import { bind } from '../../../platform/http/bind.ts';
import * as comments from './comments.service.ts';

export const commentRoutes = bind(commentsApi, comments);
