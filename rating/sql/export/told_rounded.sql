-- What others are told of a Rating or Form and of a share: as the pages show it. The digits behind would give away
-- the Rating of a hidden player beside or against whom the hand was played.
CREATE OR REPLACE TEMP MACRO told(number) AS exact(floor(number + 0.5));
CREATE OR REPLACE TEMP MACRO told_share(share) AS exact(round(share, 2));
