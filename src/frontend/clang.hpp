// The parts of Clang that the lowering uses. Tooling.h and RecursiveASTVisitor.h
// stay out: each costs more to compile than all of this.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/RecordLayout.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/Builtins.h>
#include <clang/Basic/SourceManager.h>
