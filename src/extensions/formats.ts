import { Controller, Param, Res, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { documentId, DocumentRefusal, Documents } from '../documents/index.js';
import { type Caller, CallerOf } from '../platform/http/request.js';
import { Get } from '../platform/http/route.js';
import type { DocumentFormat } from './extension.js';

/** `GET documents/{id}/<format>` for each format: a document of the caller, as that shows it. */
export function formatsController(extension: string, formats: readonly DocumentFormat[]): Type {
  @ApiTags(extension)
  @Controller('documents')
  class FormatsController {
    constructor(readonly documents: Documents) {}
  }
  for (const format of formats) addRoute(FormatsController, extension, format);
  Reflect.defineMetadata('design:paramtypes', [Documents], FormatsController);
  return FormatsController;
}

const capitalized = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

type Shown = (caller: Caller, id: string, response: Response) => Promise<void>;

function addRoute(
  controller: Type<{ documents: Documents }>,
  extension: string,
  { name, mediaType, summary, render }: DocumentFormat,
): void {
  const handler = ['getDocumentAs', ...[extension, ...name.split('-')].map(capitalized)].join('');
  const show: Shown = async function (this: { documents: Documents }, caller, id, response) {
    const view = await this.documents.find(caller.accountId, documentId(id));
    response.type(mediaType).send(await render(view));
  };
  const { prototype } = controller as { prototype: object };
  Object.defineProperty(prototype, handler, { value: show, configurable: true, writable: true });
  CallerOf()(prototype, handler, 0);
  Param('id')(prototype, handler, 1);
  Res()(prototype, handler, 2);
  Reflect.defineMetadata('design:paramtypes', [Object, String, Object], prototype, handler);
  const described = Object.getOwnPropertyDescriptor(
    prototype,
    handler,
  ) as TypedPropertyDescriptor<Shown>;
  const isText = mediaType.startsWith('text/');
  Get(`:id/${name}`, 'documents:read', {
    summary,
    answers: isText ? { text: [mediaType] } : { binary: [mediaType] },
    problems: [DocumentRefusal.document_not_found],
  })(prototype, handler, described);
  Object.defineProperty(prototype, handler, described);
}
