-- One line for each kind of thing: how many, and their sum in minor units.
SELECT 'documents', kind, currency, count(*), sum(total) FROM documents GROUP BY 2, 3 ORDER BY 2, 3;
SELECT 'paid on documents', kind, currency, count(*), sum(amount_paid) FROM documents GROUP BY 2, 3 ORDER BY 2, 3;
SELECT 'payments', coalesce(gateway, method), currency, count(*), sum(amount) FROM payments GROUP BY 2, 3 ORDER BY 2, 3;
SELECT 'refunds', status, currency, count(*), sum(amount) FROM refunds GROUP BY 2, 3 ORDER BY 2, 3;
SELECT 'customer credits', '', currency, count(*), sum(amount) FROM customer_credits GROUP BY 3 ORDER BY 3;
SELECT 'transfers', fact, currency, count(*), sum(amount) FROM transfers GROUP BY 2, 3 ORDER BY 2, 3;
SELECT 'events', '', '', count(*), 0 FROM events;
SELECT 'seals', account_id, '', count(*), max(sequence) FROM seals GROUP BY 2 ORDER BY 2;
