import { Injectable } from '@nestjs/common';
import { DocumentExpansions } from '../../documents/index.js';
import { WHOLE } from '../../platform/http/paging.js';
import { presentMessage } from '../wire/message.js';
import { MessagesQuery } from '../infrastructure/messages.query.js';

const MOST_MESSAGES = 10;

/** The messages that a reader of documents may ask for beside them. */
@Injectable()
export class MessagesOfDocuments {
  constructor(expansions: DocumentExpansions, query: MessagesQuery) {
    expansions.readBy('messages', async (accountId, documents) => {
      const found = await query.ofDocuments(accountId, documents, MOST_MESSAGES + 1);
      const listed = documents.map((id) => {
        const all = found.filter(({ documentId }) => documentId === id);
        const data = all.slice(0, MOST_MESSAGES).map(presentMessage);
        return [id, { data, ...WHOLE, has_more: all.length > MOST_MESSAGES }] as const;
      });
      return new Map(listed);
    });
  }
}
