import { fieldBooksApi } from '@heterosis/contracts/endpoints/data/field-books';
import { bind } from '../../../platform/http/bind.ts';
import * as books from './field-books.service.ts';

/** Field books and labels of trials. */
export const fieldBookRoutes = bind(fieldBooksApi, books);
