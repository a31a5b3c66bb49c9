-- What an operator is told of a Rating or Form and of a share: all of it.
CREATE OR REPLACE TEMP MACRO told(number) AS exact(number);
CREATE OR REPLACE TEMP MACRO told_share(share) AS exact(share);
