CREATE SCHEMA golden;
CREATE TABLE golden.conversations (
    key bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    owner text COLLATE pg_catalog."C",
    version bigint NOT NULL,
    saved timestamp with time zone NOT NULL,
    run bigint
);
ALTER TABLE golden.conversations ALTER COLUMN key ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME golden.conversations_key_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE golden.entries (
    run bigint NOT NULL,
    sequence bigint NOT NULL,
    text text NOT NULL
);
CREATE TABLE golden.inbox (
    run bigint NOT NULL,
    place bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    text text NOT NULL
);
CREATE TABLE golden.labels (
    run bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE golden.leases (
    run bigint NOT NULL,
    token bigint NOT NULL,
    until timestamp with time zone,
    holder bigint,
    is_over boolean NOT NULL,
    entries bigint NOT NULL,
    items bigint NOT NULL,
    taken bigint NOT NULL,
    conversation bigint
)
WITH (fillfactor='50');
CREATE TABLE golden.runs (
    key bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    runner text NOT NULL COLLATE pg_catalog."C",
    owner text COLLATE pg_catalog."C",
    created_us bigint NOT NULL,
    unfinished boolean NOT NULL,
    ended timestamp with time zone,
    status text NOT NULL,
    pending text NOT NULL,
    info text NOT NULL
);
ALTER TABLE golden.runs ALTER COLUMN key ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME golden.runs_key_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE golden.toolwright (
    version integer NOT NULL
);
CREATE TABLE golden.versions (
    conversation bigint NOT NULL,
    version bigint NOT NULL,
    text text NOT NULL
);
INSERT INTO golden.conversations OVERRIDING SYSTEM VALUE VALUES (1, 'talk', 'ada', 2, '2026-11-27 19:27:37.37458+00', 1);
INSERT INTO golden.entries VALUES (1, 0, 'zero');
INSERT INTO golden.entries VALUES (1, 1, 'one0');
INSERT INTO golden.entries VALUES (1, 2, 'two');
INSERT INTO golden.inbox VALUES (1, 1, 'stop', '{"id":"stop","content":{"type":"cancel_after_round"},"at_ms":1795807657352}');
INSERT INTO golden.labels VALUES (1, 'team', 'north');
INSERT INTO golden.leases VALUES (1, 1, NULL, 4711, false, 3, 1, 1, 1);
INSERT INTO golden.runs OVERRIDING SYSTEM VALUE VALUES (1, 'r/1 é0', 'weather', 'ada', 1795000000123456, false, NULL, '{"type":"parked","reason":"no progress"}', '[{"run_id":"run","id":{"round":0,"index":1},"call":{"id":"1","name":"delete_file","arguments":"{\"path\": \"a\\n.txt\"}"},"waits_for":"approval","since_ms":1700000000123,"effects":"write"}]', '{"run_id":"r/1 é\u0000","runner":"weather","owner":"ada","labels":{"team":"north"},"conversation":{"id":"talk","version":1},"created":{"secs_since_epoch":1795000000,"nanos_since_epoch":123456789}}');
INSERT INTO golden.toolwright VALUES (1);
INSERT INTO golden.versions VALUES (1, 1, 'hello');
INSERT INTO golden.versions VALUES (1, 2, 'and more');
SELECT pg_catalog.setval('golden.conversations_key_seq', 2, true);
SELECT pg_catalog.setval('golden.runs_key_seq', 1, true);
ALTER TABLE ONLY golden.conversations
    ADD CONSTRAINT conversations_id EXCLUDE USING hash (id WITH =);
ALTER TABLE ONLY golden.conversations
    ADD CONSTRAINT conversations_pkey PRIMARY KEY (key);
ALTER TABLE ONLY golden.entries
    ADD CONSTRAINT entries_pkey PRIMARY KEY (run, sequence);
ALTER TABLE ONLY golden.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (run, place);
ALTER TABLE ONLY golden.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (run);
ALTER TABLE ONLY golden.runs
    ADD CONSTRAINT runs_id EXCLUDE USING hash (id WITH =);
ALTER TABLE ONLY golden.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (key);
ALTER TABLE ONLY golden.versions
    ADD CONSTRAINT versions_pkey PRIMARY KEY (conversation, version);
CREATE INDEX conversations_by_owner ON golden.conversations USING btree (hashtextextended(owner, (0)::bigint), saved, key);
CREATE INDEX conversations_by_time ON golden.conversations USING btree (saved, key);
CREATE INDEX inbox_by_id ON golden.inbox USING btree (run, hashtextextended(id, (0)::bigint));
CREATE INDEX labels_by_run ON golden.labels USING btree (run);
CREATE INDEX labels_by_value ON golden.labels USING btree (hashtextextended(value, hashtextextended(name, (0)::bigint)), run);
CREATE INDEX runs_by_owner ON golden.runs USING btree (hashtextextended(owner, (0)::bigint), created_us, key);
CREATE INDEX runs_by_time ON golden.runs USING btree (created_us, key);
CREATE INDEX runs_ended ON golden.runs USING btree (ended) WHERE (ended IS NOT NULL);
CREATE INDEX runs_unfinished ON golden.runs USING btree (hashtextextended(runner, (0)::bigint), created_us, key) WHERE unfinished;
