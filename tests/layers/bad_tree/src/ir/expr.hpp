// The innocent half of the bad tree.
#pragma once
